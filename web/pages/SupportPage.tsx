import type { SupportFields } from '@keepsnap/contract/support.ts'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { MessageSent } from '../features/support/MessageSent.tsx'
import { Questions } from '../features/support/Questions.tsx'
import { SupportForm } from '../features/support/SupportForm.tsx'
import type { Sender } from '../features/support/useSupportForm.ts'
import { useCurrentUser, type CurrentUser } from '../lib/current-user.ts'
import { useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { usePlanStatus } from '../lib/plan-status.ts'
import { useSiteInfo } from '../lib/site-info.ts'
import { support } from '../messages/en/support.ts'
import { buttonClass } from '../ui/Button.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'
import '../styles/questions.css'
import './support.css'

/** Questions and answers, and a contact form. */
export function SupportPage() {
  const text = useText({ support })
  usePageTitle(text.title)
  const [sent, setSent] = useState<SupportFields | null>(null)
  return (
    <div className="wrap">
      <header className="page-head support__head">
        <div>
          <PageHeading>{text.title}</PageHeading>
          <p>{text.lead}</p>
        </div>
        {sent === null && (
          <Link className={buttonClass({})} to={{ hash: 'write' }}>
            <Mail className="icon" />
            {text.write}
          </Link>
        )}
      </header>
      <div className="support">
        <Questions />
        <section className="card support__form" id="write" aria-labelledby="write-heading">
          {sent ? (
            <MessageSent sent={sent} onAnother={() => setSent(null)} />
          ) : (
            <>
              <h2 id="write-heading">{text.write}</h2>
              <ContactForm onSent={setSent} />
            </>
          )}
        </section>
      </div>
    </div>
  )
}

const senderOf = ({ user }: CurrentUser): Sender =>
  user ? { userId: user.id, name: user.username, email: user.email } : { userId: null, name: '', email: '' }

function ContactForm({ onSent }: { onSent: (sent: SupportFields) => void }) {
  const sender = senderOf(useCurrentUser())
  const site = useSiteInfo().info
  const plan = usePlanStatus().data?.plan
  return (
    <SupportForm
      // Text typed before the user has loaded is in the visitor's draft, which the user's form continues.
      key={sender.userId}
      sender={sender}
      hasPriority={plan?.features.priority_support === true}
      supportEmail={site && !site.operator.is_sample ? site.support_email : null}
      onSent={onSent}
    />
  )
}
