import type { User } from '@keepsnap/contract/accounts.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { useQueryClient } from '@tanstack/react-query'
import { EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useMediaUrl } from '../../../lib/app-services.tsx'
import { useText } from '../../../lib/i18n.tsx'
import { printOfPhoto } from '../../../lib/paths.ts'
import { openStorage } from '../../../lib/storage.ts'
import { gallery } from '../../../messages/en/gallery.ts'
import { latest } from '../../../messages/en/latest.ts'
import { buttonClass } from '../../../ui/Button.tsx'
import { cachedPhoto } from '../photo-cache.ts'
import { useHidePhotos } from '../useHidePhotos.ts'
import { BigScreen } from './BigScreen.tsx'
import { FirstPhoto } from './FirstPhoto.tsx'
import { ToolbarButton } from './LatestToolbar.tsx'
import type { FullScreen } from './useFullScreen.ts'
import { useLatestViewModel } from './useLatestViewModel.ts'

interface Props {
  photo: Photo
  /** The newest photos, `photo` included. */
  recent: readonly Photo[]
  user: User
  fullScreen: FullScreen
  /** Controls of the page, before those that every big screen has. */
  controls?: ReactNode
  /** Controls of the page in the menu. */
  moreControls?: ReactNode
  /** Shown above the toolbar, with it: the tools for admins. */
  tools?: ReactNode
  /** Shown over the photo: the state of the connection. */
  children?: ReactNode
}

/** The user's big screen. */
export function LatestView({ photo, recent, user, fullScreen, controls, moreControls, tools, children }: Props) {
  const text = useText({ latest })
  const { shown, isFadingOut, gaveUp, retry } = useLatestViewModel(photo, user)
  const [showsRecent, toggleRecent] = useShowsRecent()
  const isWithdrawn = useIsWithdrawn(shown?.model.photo, photo)
  return (
    <BigScreen
      shown={shown}
      loading={<FirstPhoto gaveUp={gaveUp} failure={text.errors.load} onRetry={retry} />}
      isWithdrawn={isWithdrawn}
      isFadingOut={isFadingOut}
      recent={recent}
      settings={user}
      fullScreen={fullScreen}
      showsRecent={showsRecent}
      onToggleRecent={toggleRecent}
      logo={<BigScreenLogo user={user} />}
      controls={
        <>
          {controls}
          {shown && <HideLatest photo={shown.model.photo} isHidden={isWithdrawn} />}
        </>
      }
      moreControls={moreControls}
      tools={tools}
      codeActions={
        shown && (
          <Link className={buttonClass({})} to={printOfPhoto(shown.model.photo.id)}>
            {text.codeDialog.print}
          </Link>
        )
      }
    >
      {children}
    </BigScreen>
  )
}

/** The owner's logo, if there is one. */
export function BigScreenLogo({
  user: { logo_url: url, logo_grounds: grounds },
}: {
  user: Pick<User, 'logo_url' | 'logo_grounds'>
}) {
  const media = useMediaUrl()
  if (!url) return null
  return <img className="latest__logo" data-stage-ground={grounds?.stage} src={media(url) ?? undefined} alt="" />
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

// Browsers store this key: do not rename it.
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

/** Hides the photo on the big screen from guests; the next one takes its place. */
function HideLatest({ photo, isHidden }: { photo: Photo; isHidden: boolean }) {
  const text = useText({ gallery })
  const { setHidden, busy } = useHidePhotos()
  return (
    <ToolbarButton
      icon={EyeOff}
      label={text.select.hide}
      aria-label={text.visibility.hide}
      title={text.visibility.hide}
      shortcut="H"
      disabled={photo.processing_failed || isHidden}
      busy={busy}
      onClick={() => void setHidden([photo], true)}
    />
  )
}
