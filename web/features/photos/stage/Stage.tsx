import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { useEffect, useState, type ReactNode } from 'react'
import { useMediaUrl } from '../../../lib/parts.tsx'
import { openStorage } from '../../../lib/storage.ts'
import { useText } from '../../../lib/i18n.tsx'
import { latest } from '../../../messages/en/latest.ts'
import { placeholderOf } from '../placeholder.ts'
import { keepAwake } from './awake.ts'
import { CodeDialog } from './CodeDialog.tsx'
import { faceOf, photosBefore } from './face.ts'
import type { Prepared } from './prepare.ts'
import { StageCode } from './StageCode.tsx'
import { StagePhoto } from './StagePhoto.tsx'
import { StagePrints } from './StagePrints.tsx'
import { StageTools } from './StageTools.tsx'
import { useControls } from './useControls.ts'
import { useFace, useSameFace } from './useFace.ts'
import { useFullScreen } from './useFullScreen.ts'

interface Props {
  photo: Photo
  /** The newest few, for the small prints. */
  recent: readonly Photo[]
  user: User
  refreshing: boolean
  onRefresh: () => void
  /** Stand on the stage with the photo: the dot of a lost connection, the tools of admins. */
  children?: ReactNode
}

/** Photos before the one on the stage. */
const mostBefore = 4

/** A photo as large as the screen allows, its code at a fixed place, and nothing else unless somebody moves. */
export function Stage({ photo, recent, user, refreshing, onRefresh, children }: Props) {
  const text = useText({ latest })
  const media = useMediaUrl()
  const { shown, leaving } = useFace(useSameFace(faceOf(photo, user, media)))
  const controls = useControls()
  const { isFull, toggle } = useFullScreen()
  const [showsBefore, toggleBefore] = useShowsBefore()
  const [codeShown, showCode] = useState(false)
  useEffect(() => keepAwake(window), [])

  const look = ['stage', leaving && 'is-changing', !controls && 'stage--quiet', isFull && 'stage--full']
  // Hidden while it stood here: it goes at once, not when the next one has been decoded.
  const isHidden = recent.some(({ id, hidden }) => hidden && id === shown?.face.photo.id)
  if (!shown || isHidden) return <div className="stage stage--bare" />
  const before = photosBefore(shown.face.photo, recent, mostBefore)
  const thumbBefore = before[0]?.thumbnail_url ?? null
  return (
    <div className={look.filter(Boolean).join(' ')}>
      <Ground
        shown={shown}
        background={user.background_image_url && media(user.background_image_url)}
        before={thumbBefore && media(thumbBefore)}
      />
      <div className="stage__photo">
        <StagePhoto shown={shown} />
      </div>
      <aside className="stage__side" aria-label={text.codeLabel}>
        {user.logo_url && <img className="stage__logo" src={media(user.logo_url) ?? undefined} alt="" />}
        {showsBefore && <StagePrints photos={before} user={user} />}
        <StageCode face={shown.face} />
      </aside>
      <StageTools
        face={shown.face}
        refreshing={refreshing}
        onRefresh={onRefresh}
        onCode={() => showCode(true)}
        isFull={isFull}
        onFullScreen={toggle}
        showsBefore={showsBefore}
        onBefore={toggleBefore}
      />
      {children}
      <CodeDialog face={shown.face} open={codeShown} onClose={() => showCode(false)} />
    </div>
  )
}

interface GroundProps {
  shown: Prepared
  background: string | null
  /** The photo before: its light stays while nothing can be seen of this one. */
  before: string | null
}

/** What lies behind: the user's own picture, or a blurred copy of the photo. */
function Ground({ shown: { face, picture }, background, before }: GroundProps) {
  if (background) return <img className="stage__back stage__back--own" src={background} alt="" />
  const likeness = face.thumb ?? picture ?? placeholderOf(face.photo.thumbhash) ?? before
  return likeness && <img className="stage__back stage__turn" src={likeness} alt="" decoding="sync" />
}

const entry = 'stage-prints'

/** Whether the small prints are wanted on this device. */
function useShowsBefore(): [boolean, () => void] {
  const [storage] = useState(() => openStorage(() => window.localStorage))
  const [shows, setShows] = useState(() => storage.get(entry) !== 'off')
  const toggle = (): void => {
    storage.set(entry, shows ? 'off' : null)
    setShows(!shows)
  }
  return [shows, toggle]
}
