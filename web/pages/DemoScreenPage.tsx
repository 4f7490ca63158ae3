import { ChevronRight, Pause, Play } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { BigScreen } from '../features/photos/latest/BigScreen.tsx'
import { FirstPhoto } from '../features/photos/latest/FirstPhoto.tsx'
import { ToolbarButton } from '../features/photos/latest/LatestToolbar.tsx'
import { useFullScreen } from '../features/photos/latest/useFullScreen.ts'
import { useLatestViewModel } from '../features/photos/latest/useLatestViewModel.ts'
import { useSamplePhotos } from '../features/photos/latest/useSamplePhotos.ts'
import { keepScreenOn } from '../features/photos/latest/wake-lock.ts'
import { BundledUrlsContext, useSessionState } from '../lib/app-services.tsx'
import { useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { paths } from '../lib/paths.ts'
import { demo } from '../messages/en/demo.ts'
import { samplePictures } from '../pictures/samples.ts'
import { buttonClass } from '../ui/Button.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'

const settings = { ask_email_to_receive_photo: false, background_image_url: null }
const bundledUrls = new Set(Object.values(samplePictures).flatMap(({ full, thumbnail }) => [full, thumbnail]))

/** A demonstration of the big screen for everybody, with sample pictures that arrive like photos. */
export function DemoScreenPage() {
  const text = useText({ demo })
  usePageTitle(text.title)
  return (
    <BundledUrlsContext value={bundledUrls}>
      <PageHeading className="visually-hidden">{text.heading}</PageHeading>
      <Demonstration />
    </BundledUrlsContext>
  )
}

function Demonstration() {
  const text = useText({ demo })
  const { photos, before, paused, setPaused, next } = useSamplePhotos()
  const { shown, isFadingOut, gaveUp, retry } = useLatestViewModel(photos[0], settings)
  const fullScreen = useFullScreen()
  useEffect(() => keepScreenOn(window), [])
  // Not stored: it is about the demonstration, not about this device.
  const [showsRecent, setShowsRecent] = useState(true)
  // The newest photo is not yet among the others while it is still fading in.
  const recent = shown?.model.photo.id === photos[0].id ? photos : before
  return (
    <BigScreen
      shown={shown}
      loading={<FirstPhoto gaveUp={gaveUp} failure={text.failed} onRetry={retry} />}
      isFadingOut={isFadingOut}
      recent={recent}
      settings={settings}
      fullScreen={fullScreen}
      showsRecent={showsRecent}
      onToggleRecent={() => setShowsRecent(!showsRecent)}
      logo={<DemoNote />}
      controls={
        <>
          <ToolbarButton
            icon={paused ? Play : Pause}
            label={paused ? text.play : text.pause}
            shortcut="Space"
            onClick={() => setPaused(!paused)}
          />
          <ToolbarButton icon={ChevronRight} label={text.next} shortcut="ArrowRight" onClick={next} />
        </>
      }
    />
  )
}

/** Says that this is a demonstration, and where the real one begins. */
function DemoNote() {
  const text = useText({ demo })
  const isSignedIn = useSessionState().token !== null
  return (
    <div className="latest__note">
      <p>
        <b>{text.label}</b>
        <span>{text.lead}</span>
      </p>
      <Link className={buttonClass({ tone: 'primary' })} to={isSignedIn ? paths.latest : paths.register}>
        {isSignedIn ? text.openLatest : text.getStarted}
      </Link>
    </div>
  )
}
