import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/app-services.tsx'
import { useFocusReturn } from '../../../lib/focus-return.ts'
import { openStorage } from '../../../lib/storage.ts'
import { latest } from '../../../messages/en/latest.ts'
import { cachedPhoto } from '../photo-cache.ts'
import { placeholderOf } from '../placeholder.ts'
import { HideLatest } from './HideLatest.tsx'
import { otherPhotos } from './latest-view-model.ts'
import { LatestPhoto } from './LatestPhoto.tsx'
import { LatestQrCode } from './LatestQrCode.tsx'
import { LatestToolbar } from './LatestToolbar.tsx'
import type { LoadedView } from './loaded-view.ts'
import { QrCodeDialog } from './QrCodeDialog.tsx'
import { RecentPhotos } from './RecentPhotos.tsx'
import { useControlsVisible } from './useControlsVisible.ts'
import { useFullScreen } from './useFullScreen.ts'
import { useLatestViewModel } from './useLatestViewModel.ts'
import { keepScreenOn } from './wake-lock.ts'

interface Props {
  photo: Photo
  /** The newest photos, `photo` included. */
  recent: readonly Photo[]
  user: User
  /** Controls of the page, before those that every big screen has. */
  controls?: ReactNode
  /** Shown above the toolbar, with it: the tools for admins. */
  tools?: ReactNode
  /** Shown over the photo: the state of the connection. */
  children?: ReactNode
}

const maxRecent = 4

/** One photo as large as the screen allows, with its QR code at a fixed place; controls appear when the user moves. */
export function LatestView({ photo, recent, user, controls, tools, children }: Props) {
  const text = useText({ latest })
  const media = useMediaUrl()
  const { shown, isFadingOut } = useLatestViewModel(photo, user)
  const controlsVisible = useControlsVisible()
  const { isFull, toggle: toggleFullScreen } = useFullScreen()
  const [showsRecent, toggleRecent] = useShowsRecent()
  const [dialogOpen, setDialogOpen] = useState(false)
  useEffect(() => keepScreenOn(window), [])

  const latestClasses = [
    'latest',
    isFadingOut && 'is-changing',
    !controlsVisible && 'latest--idle',
    isFull && 'latest--full-screen',
  ]
  const isWithdrawn = useIsWithdrawn(shown?.model.photo, photo)
  const focusReturn = useFocusReturn()
  if (!shown) return <div className={`latest latest--bare ${isFull ? 'latest--full-screen' : ''}`} />
  const { model } = shown
  const others = otherPhotos(model.photo, recent, maxRecent)
  const previousThumb = others[0]?.thumbnail_url ?? null
  return (
    <div className={latestClasses.filter(Boolean).join(' ')}>
      {!isWithdrawn && (
        <LatestBackground
          shown={shown}
          ownImage={user.background_image_url && media(user.background_image_url)}
          previousThumb={previousThumb && media(previousThumb)}
        />
      )}
      <div className="latest__photo">{!isWithdrawn && <LatestPhoto shown={shown} />}</div>
      <aside className="latest__side" aria-label={text.codeLabel}>
        {user.logo_url && (
          <img
            className="latest__logo"
            data-stage-ground={user.logo_grounds?.stage}
            src={media(user.logo_url) ?? undefined}
            alt=""
          />
        )}
        {showsRecent && !isWithdrawn && <RecentPhotos photos={others} user={user} />}
        {!isWithdrawn && <LatestQrCode model={model} />}
      </aside>
      <div className="latest__controls" {...focusReturn}>
        {tools}
        <LatestToolbar
          model={model}
          onShowCode={() => setDialogOpen(true)}
          isFull={isFull}
          onToggleFullScreen={toggleFullScreen}
          showsRecent={showsRecent}
          onToggleRecent={toggleRecent}
        >
          {controls}
          <HideLatest photo={model.photo} isHidden={isWithdrawn} />
        </LatestToolbar>
      </div>
      {children}
      <QrCodeDialog model={model} open={dialogOpen} onClose={() => setDialogOpen(false)} />
    </div>
  )
}

/**
 * Whether the photo on the screen was hidden or deleted meanwhile: it disappears at once, not only when the next one is
 * decoded.
 */
function useIsWithdrawn(shown: Photo | undefined, next: Photo): boolean {
  const queryClient = useQueryClient()
  if (!shown) return false
  const newest = cachedPhoto(queryClient, shown.id) ?? (shown.id === next.id ? next : undefined)
  return newest === undefined || newest.hidden
}

interface BackgroundProps {
  shown: LoadedView
  /** URL of the user's own background. */
  ownImage: string | null
  /** URL of the previous photo's thumbnail, for as long as nothing of this photo can be shown. */
  previousThumb: string | null
}

/** The user's own background, or a blurred copy of the photo. */
function LatestBackground({ shown: { model, picture }, ownImage, previousThumb }: BackgroundProps) {
  if (ownImage) return <img className="latest__background latest__background--own" src={ownImage} alt="" />
  const blurredUrl = model.thumb ?? picture ?? placeholderOf(model.photo.thumbhash) ?? previousThumb
  return blurredUrl && <img className="latest__background latest__fade" src={blurredUrl} alt="" decoding="sync" />
}

// Browsers hold this key.
const showsRecentKey = 'stage-prints'

/** Whether this device shows the recent photos. */
function useShowsRecent(): [boolean, () => void] {
  const [storage] = useState(() => openStorage(() => window.localStorage))
  const [showsRecent, setShowsRecent] = useState(() => storage.get(showsRecentKey) !== 'off')
  const toggle = (): void => {
    storage.set(showsRecentKey, showsRecent ? 'off' : null)
    setShowsRecent(!showsRecent)
  }
  return [showsRecent, toggle]
}
