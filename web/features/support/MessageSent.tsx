import type { SupportFields } from '@keepsnap/contract/support.ts'
import { Check } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import { support } from '../../messages/en/support.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmailAddress } from '../../ui/EmailAddress.tsx'

interface Props {
  sent: SupportFields
  onAnother: () => void
}

/** Replaces the form after the message was sent. */
export function MessageSent({ sent, onAnother }: Props) {
  const text = useText({ support }).sent
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="stack support__sent">
      <span className="support__tick">
        <Check className="icon" />
      </span>
      <h2 ref={heading} tabIndex={-1} id="write-heading">
        {text.heading}
      </h2>
      <p>
        {text.answer}{' '}
        <b>
          <EmailAddress email={sent.email.trim()} />
        </b>
        . {text.spam}
      </p>
      <blockquote translate="no" dir="auto">
        <b>{sent.subject.trim()}</b>
        <span>{sent.message.trim()}</span>
      </blockquote>
      <div className="row">
        <Button onClick={onAnother}>{text.another}</Button>
        <Link className={buttonClass({ tone: 'ghost' })} to={paths.home}>
          {text.home}
        </Link>
      </div>
    </div>
  )
}
