import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { useState, type ReactNode } from 'react'
import { useText } from '../../../lib/i18n.tsx'
import { useMediaUrl } from '../../../lib/app-services.tsx'
import { useFocusReturn } from '../../../lib/focus-return.ts'
import { latest } from '../../../messages/en/latest.ts'
import { placeholderOf } from '../placeholder.ts'
import { otherPhotos } from './latest-view-model.ts'
import { LatestPhoto } from './LatestPhoto.tsx'
import { LatestQrCode } from './LatestQrCode.tsx'
import { LatestToolbar } from './LatestToolbar.tsx'
import type { LoadedView } from './loaded-view.ts'
import { QrCodeDialog } from './QrCodeDialog.tsx'
import { RecentPhotos } from './RecentPhotos.tsx'
import { useControlsVisible } from './useControlsVisible.ts'
import type { FullScreen } from './useFullScreen.ts'
import './latest.css'

/** The settings that the big screen follows. */
export type BigScreenSettings = Pick<User, 'ask_email_to_receive_photo' | 'background_image_url'>

interface Props {
  /** Null: nothing is loaded yet. */
  shown: LoadedView | null
  /** In the place of the first photo until it is loaded. */
  loading: ReactNode
  /** What is loaded may no longer be shown: only the controls stay. */
  isWithdrawn?: boolean
  /** Another photo takes its place in a moment. */
  isFadingOut: boolean
  /** The newest photos, the one that is shown included. */
  recent: readonly Photo[]
  settings: BigScreenSettings
  /** Of the page, which keeps it while there is no photo. */
  fullScreen: FullScreen
  showsRecent: boolean
  onToggleRecent: () => void
  /** Shown above the other photos. */
  logo?: ReactNode
  /** Controls of the page, before those that every big screen has. */
  controls?: ReactNode
  /** Controls of the page after them, which phones have in a menu. */
  moreControls?: ReactNode
  /** Shown above the toolbar, with it. */
  tools?: ReactNode
  /** What else can be done with the code, in its dialog. */
  codeActions?: ReactNode
  /** Shown over the photo. */
  children?: ReactNode
}

const maxRecent = 4

/** One photo as large as the screen allows, with its QR code at a fixed place; controls appear when the user moves. */
export function BigScreen({
  shown,
  loading,
  isWithdrawn = false,
  isFadingOut,
  recent,
  settings,
  fullScreen: { isFull, toggle: toggleFullScreen },
  showsRecent,
  onToggleRecent,
  logo,
  controls,
  moreControls,
  tools,
  codeActions,
  children,
}: Props) {
  const text = useText({ latest })
  const media = useMediaUrl()
  const controlsVisible = useControlsVisible()
  const [dialogOpen, setDialogOpen] = useState(false)
  // Otherwise it would open again with the code of the next photo.
  if (isWithdrawn && dialogOpen) setDialogOpen(false)

  const latestClasses = [
    'latest',
    isFadingOut && 'is-changing',
    shown && !controlsVisible && 'latest--idle',
    isFull && 'latest--full-screen',
  ]
  const focusReturn = useFocusReturn()
  const others = shown ? otherPhotos(shown.model.photo, recent, maxRecent) : []
  const previousThumb = others[0]?.thumbnail_url ?? null
  const visible = isWithdrawn ? null : shown
  // The elements keep their positions in the tree when the first photo arrives, so that React keeps the focused one.
  return (
    <div className={latestClasses.filter(Boolean).join(' ')}>
      {visible && (
        <LatestBackground
          shown={visible}
          ownImage={settings.background_image_url && media(settings.background_image_url)}
          previousThumb={previousThumb && media(previousThumb)}
        />
      )}
      <div className="latest__photo">
        {visible && <LatestPhoto shown={visible} />}
        {!shown && loading}
      </div>
      <aside className="latest__side" aria-label={text.codeLabel}>
        {logo}
        {visible && showsRecent && <RecentPhotos photos={others} user={settings} />}
        {/* Reserves their space: appearing beside the first photo, they would shift the layout. */}
        {!shown && showsRecent && recent.length > 0 && <div className="latest__recent" />}
        {visible && <LatestQrCode model={visible.model} />}
      </aside>
      <div className="latest__controls" {...focusReturn}>
        {tools && <div className="latest__tools">{tools}</div>}
        {shown && (
          <LatestToolbar
            model={shown.model}
            isWithdrawn={isWithdrawn}
            onShowCode={() => setDialogOpen(true)}
            isFull={isFull}
            onToggleFullScreen={toggleFullScreen}
            showsRecent={showsRecent}
            onToggleRecent={onToggleRecent}
            more={moreControls}
          >
            {controls}
          </LatestToolbar>
        )}
      </div>
      {children}
      {shown && (
        <QrCodeDialog model={shown.model} open={dialogOpen} onClose={() => setDialogOpen(false)}>
          {codeActions}
        </QrCodeDialog>
      )}
    </div>
  )
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
