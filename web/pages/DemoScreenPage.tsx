import { ChevronRight, Pause, Play } from 'lucide-react'
import { Link } from 'react-router'
import { BigScreen } from '../features/photos/latest/BigScreen.tsx'
import { ToolbarButton } from '../features/photos/latest/LatestToolbar.tsx'
import { useLatestViewModel } from '../features/photos/latest/useLatestViewModel.ts'
import { useSamplePhotos } from '../features/photos/latest/useSamplePhotos.ts'
import { useSessionState } from '../lib/app-services.tsx'
import { useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { paths } from '../lib/paths.ts'
import { demo } from '../messages/en/demo.ts'
import { states } from '../messages/en/states.ts'
import { buttonClass } from '../ui/Button.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'

const settings = { ask_email_to_receive_photo: false, background_image_url: null }

/** A demonstration of the big screen for everybody, with sample pictures that arrive like photos. */
export function DemoScreenPage() {
  const text = useText({ demo })
  usePageTitle(text.title)
  const { photos, before, paused, setPaused, next } = useSamplePhotos()
  const { shown, isFadingOut } = useLatestViewModel(photos[0], settings)
  // The newest photo is not yet among the others while it is still fading in.
  const recent = shown?.model.photo.id === photos[0].id ? photos : before
  return (
    <>
      <PageHeading className="visually-hidden">{text.heading}</PageHeading>
      {shown ? (
        <BigScreen
          shown={shown}
          isFadingOut={isFadingOut}
          recent={recent}
          settings={settings}
          logo={<DemoNote />}
          controls={
            <>
              <ToolbarButton
                icon={paused ? Play : Pause}
                label={paused ? text.play : text.pause}
                onClick={() => setPaused(!paused)}
              />
              <ToolbarButton icon={ChevronRight} label={text.next} onClick={next} />
            </>
          }
        />
      ) : (
        <LoadingScreen />
      )}
    </>
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

function LoadingScreen() {
  const { loading } = useText({ states })
  return (
    <div className="latest latest--bare latest--loading">
      <span className="skeleton" aria-hidden="true" />
      <output className="visually-hidden">{loading}</output>
      <div className="latest__controls">
        <DemoNote />
      </div>
    </div>
  )
}
