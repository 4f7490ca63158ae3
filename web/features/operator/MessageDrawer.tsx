import type { SupportMessage, SupportState } from '@keepsnap/contract/operator-support.ts'
import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useId, useState } from 'react'
import { ApiError } from '../../lib/api-errors.ts'
import { useApi } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useLastError } from '../../lib/query-failure.ts'
import { operator } from '../../messages/en/operator.ts'
import { operatorSupport } from '../../messages/en/operator-support.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { Note } from '../../ui/Note.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { ConfirmedAction } from './ConfirmedAction.tsx'
import { SectionLoadFailed } from './SectionLoadFailed.tsx'
import { deleteMessage, messageQuery, useChangeMessage } from './support-queries.ts'

interface Props {
  /** Null while it is closed. */
  id: string | null
  onClose: () => void
  onOpenUser: (id: string) => void
}

/** One message to support, and what an operator can do with it. */
export function MessageDrawer({ id, onClose, onOpenUser }: Props) {
  const heading = useId()
  return (
    <Drawer
      open={id !== null}
      onClose={onClose}
      labelledBy={heading}
      head={id !== null && <MessageHead id={id} headingId={heading} />}
    >
      {id !== null && <MessageBody id={id} onClose={onClose} onOpenUser={onOpenUser} />}
    </Drawer>
  )
}

function MessageHead({ id, headingId }: { id: string; headingId: string }) {
  const text = useText({ operatorSupport })
  const { data } = useQuery(messageQuery(useApi(), id))
  if (!data) return <h2 id={headingId}>{text.loading}</h2>
  return (
    <>
      <h2 id={headingId} dir="auto" translate="no" className="operator-inbox__subject">
        {data.subject}
      </h2>
      <p className="row operator-drawer__badges">
        <span className="badge">{text.states[data.state]}</span>
        {data.priority && <span className="badge badge--warn">{text.priority}</span>}
      </p>
    </>
  )
}

function MessageBody({ id, onClose, onOpenUser }: Props & { id: string }) {
  const text = useText({ operatorSupport })
  const query = useQuery(messageQuery(useApi(), id))
  const { data, isFetching, refetch } = query
  const error = useLastError(query)
  if (error instanceof ApiError && error.status === 404) return <p className="operator-empty">{text.gone}</p>
  if (error && !data)
    return <SectionLoadFailed sentence={text.failedMessage} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) {
    return (
      <div className="operator-rows" aria-hidden="true">
        {Array.from({ length: 4 }, (_, index) => (
          <div key={index}>
            <Skeleton width={index % 2 ? '70%' : '85%'} height="1.2rem" />
          </div>
        ))}
      </div>
    )
  }
  return (
    <div className="operator-drawer">
      <MessageDetails message={data} onOpenUser={onOpenUser} />
      <p className="operator-inbox__text" dir="auto" translate="no">
        {data.message}
      </p>
      <Actions message={data} onClose={onClose} />
    </div>
  )
}

function MessageDetails({ message, onOpenUser }: { message: SupportMessage; onOpenUser: (id: string) => void }) {
  const text = useText({ operatorSupport })
  const { owner } = useText({ operator })
  const { name, email, account, sent_at: sentAt, answered_at: answeredAt } = message
  return (
    <dl className="operator-facts">
      <div>
        <dt>{text.from}</dt>
        <dd translate="no">
          <bdi>{name}</bdi>
        </dd>
      </div>
      <div>
        <dt>{text.address}</dt>
        <dd>
          <EmailAddress email={email} />
          <span className="tiny muted operator-line">{text.unconfirmed}</span>
        </dd>
      </div>
      <div>
        <dt>{text.account}</dt>
        <dd>
          {account === null ? (
            text.visitor
          ) : (
            <button
              type="button"
              className="text-button"
              aria-label={owner(account.username)}
              onClick={() => onOpenUser(account.id)}
            >
              <span translate="no">{account.username}</span>
            </button>
          )}
        </dd>
      </div>
      <Time name={text.sent} at={sentAt} />
      {answeredAt !== null && <Time name={text.answeredAt} at={answeredAt} />}
    </dl>
  )
}

function Time({ name, at }: { name: string; at: string }) {
  const format = useFormat()
  return (
    <div>
      <dt>{name}</dt>
      <dd className="tabular-numbers" translate="no">
        {format.dateTime(at)}
      </dd>
    </div>
  )
}

/** The possible changes of each state: the new state, and the message key of the button. */
const stateChanges = {
  open: [
    ['answered', 'answered'],
    ['suspected', 'suspected'],
  ],
  answered: [['open', 'open']],
  suspected: [['open', 'notSuspected']],
} as const satisfies Record<SupportState, (readonly [SupportState, keyof typeof operatorSupport.actions])[]>

function Actions({ message, onClose }: { message: SupportMessage; onClose: () => void }) {
  const text = useText({ operatorSupport })
  const toast = useToast()
  const [isDeleting, setDeleting] = useState(false)
  const change = useChangeMessage(message.id, (state) => toast({ text: text.changed[state] }))
  // The new state is rendered shortly before the mutation is settled.
  const isChanging = change.isPending && change.variables !== message.state
  const subject = new URLSearchParams({ subject: text.replySubject(message.subject) }).toString().replaceAll('+', '%20')
  return (
    <>
      {change.isError && <Note tone="bad">{errorMessage(change.error, text.changeFailed)}</Note>}
      <div className="row">
        <a
          className={buttonClass({ tone: 'primary' })}
          href={`mailto:${encodeURIComponent(message.email).replace('%40', '@')}?${subject}`}
        >
          <Mail className="icon" />
          {text.reply}
        </a>
        {stateChanges[message.state].map(([state, action]) => (
          <Button
            key={state}
            busy={isChanging && change.variables === state}
            onClick={() => !isChanging && change.mutate(state)}
          >
            {text.actions[action]}
          </Button>
        ))}
        <Button tone="danger" onClick={() => setDeleting(true)}>
          {text.delete}
        </Button>
      </div>
      {isDeleting && <DeleteDialog message={message} onDone={onClose} onClose={() => setDeleting(false)} />}
    </>
  )
}

interface DeleteProps {
  message: SupportMessage
  onDone: () => void
  onClose: () => void
}

function DeleteDialog({ message, onDone, onClose }: DeleteProps) {
  const text = useText({ operatorSupport }).deletion
  const api = useApi()
  const toast = useToast()
  return (
    <ConfirmedAction
      title={text.title}
      question={text.question(message.name)}
      submit={text.submit}
      danger
      act={(reason) => deleteMessage(api, message.id, reason)}
      onDone={() => {
        toast({ text: text.done })
        onClose()
        onDone()
      }}
      onClose={onClose}
    />
  )
}
