import type { User } from '@keepsnap/contract/accounts.ts'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { FullScreenButton } from '../features/photos/latest/LatestToolbar.tsx'
import { BigScreenLogo } from '../features/photos/latest/LatestView.tsx'
import { useShortcuts } from '../features/photos/latest/shortcuts.ts'
import { useControlsVisible } from '../features/photos/latest/useControlsVisible.ts'
import type { FullScreen } from '../features/photos/latest/useFullScreen.ts'
import type { Latest } from '../features/photos/latest/useLatest.ts'
import { useText } from '../lib/i18n.tsx'
import { paths } from '../lib/paths.ts'
import { latest as messages } from '../messages/en/latest.ts'
import { states } from '../messages/en/states.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { LogoMark } from '../ui/Logo.tsx'

interface Props {
  latest: Latest
  /** Null while it is not known. */
  user: User | null
  fullScreen: FullScreen
  onRetry: () => void
  isRetrying: boolean
  /** The warning about limits, and the tools for admins. */
  tools: ReactNode
}

/** The Latest page without a photo: loading, failed, all hidden, or none yet. */
export function LatestWithoutPhoto({
  latest: { photo, allHidden, failed },
  user,
  fullScreen,
  onRetry,
  isRetrying,
  tools,
}: Props) {
  const text = useText({ latest: messages })
  const { tryAgain, loading } = useText({ states })
  const screen = { fullScreen, tools }
  // Guests look at it: nothing on it is for the owner.
  if (photo === null && fullScreen.isFull) {
    return (
      <EmptyScreen {...screen}>
        <div className="latest__message">
          {user?.logo_url ? <BigScreenLogo user={user} /> : <BlankPrint />}
          <p>{allHidden ? text.hidden.onScreen : text.empty.onScreen}</p>
        </div>
      </EmptyScreen>
    )
  }
  if (photo === null && allHidden) {
    return (
      <EmptyScreen {...screen}>
        <div className="latest__message">
          <p>{text.hidden.line}</p>
          <Link className={buttonClass({ tone: 'primary', large: true })} to={paths.gallery}>
            {text.hidden.action}
          </Link>
        </div>
      </EmptyScreen>
    )
  }
  if (photo === null) {
    return (
      <EmptyScreen {...screen}>
        <div className="latest__message">
          <BlankPrint />
          <p>{text.empty.line}</p>
          <output className="visually-hidden">{text.errors.none}</output>
          <Link className={buttonClass({ tone: 'primary', large: true })} to={paths.upload}>
            {text.empty.action}
          </Link>
        </div>
      </EmptyScreen>
    )
  }
  if (failed) {
    return (
      <EmptyScreen {...screen}>
        <div className="latest__message" role="alert">
          <TriangleAlert className="icon" />
          <p>{text.errors.load}</p>
          <Button large busy={isRetrying} onClick={onRetry}>
            {tryAgain}
          </Button>
        </div>
      </EmptyScreen>
    )
  }
  return (
    <EmptyScreen {...screen} isLoading>
      <span className="skeleton" aria-hidden="true" />
      <output className="visually-hidden">{loading}</output>
    </EmptyScreen>
  )
}

function BlankPrint() {
  return (
    <div className="blank-print" aria-hidden="true">
      <LogoMark />
    </div>
  )
}

interface EmptyScreenProps {
  fullScreen: FullScreen
  isLoading?: boolean
  tools: ReactNode
  children: ReactNode
}

/** Keeps the full screen, and has a button for it: there is no toolbar. */
function EmptyScreen({ fullScreen: { isFull, toggle }, isLoading = false, tools, children }: EmptyScreenProps) {
  const controlsVisible = useControlsVisible()
  useShortcuts()
  const classes = [
    'latest latest--bare',
    isLoading && 'latest--loading',
    isFull && 'latest--full-screen',
    isFull && !controlsVisible && 'latest--idle',
  ]
  return (
    <div className={classes.filter(Boolean).join(' ')}>
      {children}
      {(isFull || !isLoading) && (
        <div className="latest__leave on-photo">
          <FullScreenButton isFull={isFull} onToggle={toggle} />
        </div>
      )}
      {tools}
    </div>
  )
}
