import { Check } from 'lucide-react'
import type { GuestPage } from '@keepsnap/contract/guest.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import { buttonClass } from '../ui/Button.tsx'
import { guest } from '../messages/en/guest.ts'
import { useText } from '../lib/i18n.tsx'
import { Frame } from './Frame.tsx'

interface Props {
  page: Extract<GuestPage, { page: 'stop' }>
  /** Who would send, as its readers know it. */
  host: string
}

/** The way out in every letter with a photo: what it does, and one button; afterwards the way back. */
export function StopPage({ page: { state, action }, host }: Props) {
  const text = useText({ guest })
  const { heading, what, fine } = text.stop[state]
  return (
    <Frame look="form">
      <div className="guest__do stack guest__gone">
        {state !== 'ask' && (
          <span className="guest__tick">
            <Check className="i" />
          </span>
        )}
        <h1>{heading}</h1>
        <p className="muted">{what(host)}</p>
        {state === 'allowed' || action === null ? (
          <a className={buttonClass({ tone: 'quiet', large: true, block: true })} href={pages.home}>
            {text.gone.home}
          </a>
        ) : (
          <form method="post" action={action}>
            <button className={buttonClass({ tone: state === 'ask' ? 'primary' : 'quiet', large: true, block: true })}>
              {text.stop[state].button}
            </button>
          </form>
        )}
        <p className="tiny muted">{fine}</p>
      </div>
    </Frame>
  )
}
