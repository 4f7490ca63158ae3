import { Check } from 'lucide-react'
import type { GuestPage } from '@keepsnap/contract/guest.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import { buttonClass } from '../ui/Button.tsx'
import { guest } from '../messages/en/guest.ts'
import { useText } from '../lib/i18n.tsx'
import { GuestLayout } from './GuestLayout.tsx'

interface Props {
  page: Extract<GuestPage, { page: 'unsubscribe' }>
  /** Host name of the site that sends the emails. */
  host: string
}

/** Unsubscribes from photo emails with one button, and then offers to undo that. */
export function UnsubscribePage({ page: { state, action }, host }: Props) {
  const text = useText({ guest })
  const { heading, lead, note } = text.unsubscribe[state]
  return (
    <GuestLayout look="form">
      <div className="guest__actions stack guest__message">
        {state !== 'ask' && (
          <span className="guest__tick">
            <Check className="icon" />
          </span>
        )}
        <h1>{heading}</h1>
        <p className="muted">{lead(host)}</p>
        {state === 'allowed' || action === null ? (
          <a className={buttonClass({ tone: 'quiet', large: true, block: true })} href={pages.home}>
            {text.gone.home}
          </a>
        ) : (
          <form method="post" action={action}>
            <button className={buttonClass({ tone: state === 'ask' ? 'primary' : 'quiet', large: true, block: true })}>
              {text.unsubscribe[state].button}
            </button>
          </form>
        )}
        <p className="tiny muted">{note}</p>
      </div>
    </GuestLayout>
  )
}
