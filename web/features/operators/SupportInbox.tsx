import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Mail } from 'lucide-react'
import { useId, useState } from 'react'
import {
  changeSupportMessage,
  deleteSupportMessage,
  getSupportMessage,
  listSupportMessages,
  type SupportMessage,
  type SupportState,
  type SupportSummary,
} from '@keepsnap/contract/operator-support.ts'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import { ApiError, errorMessage } from '../../lib/api-errors.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { Skeleton, useLastError } from '../../ui/QueryView.tsx'
import { operator, operatorSupport } from '../../messages/en/operators.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Note } from '../../ui/Note.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import {
  ConfirmedAction,
  Drawer,
  ListSkeleton,
  operatorKey,
  Pager,
  refetchInterval,
  RowsSkeleton,
  SectionView,
} from './section-parts.tsx'

const pageSize = 10

const supportStates = ['open', 'answered', 'suspected'] as const

/** Messages from the contact form, by state. */
export function SupportInbox({ onOpenUser }: { onOpenUser: (id: string) => void }) {
  const text = useText({ operatorSupport })
  const { errors } = useText({ operator })
  const format = useFormat()
  const heading = useId()
  const [page, setPage] = useState<{ state: SupportState; skip: number }>({ state: 'open', skip: 0 })
  const [openedId, setOpenedId] = useState<string | null>(null)
  const api = useApi()
  const query = useQuery({
    queryKey: [...operatorKey, 'support', page],
    queryFn: ({ signal }) => api.call(listSupportMessages, { query: { ...page, limit: pageSize } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
  })
  const { data, isPlaceholderData } = query
  return (
    <section className="operator-section" id="support" aria-labelledby={heading}>
      <div className="row row--between">
        <div>
          <h2 id={heading}>{text.heading}</h2>
          <p className="small muted">{text.lead}</p>
        </div>
        <SegmentedControl
          legend={text.filter}
          value={page.state}
          options={supportStates.map((value) => ({
            value,
            label: data ? text.filters[value](format.count(data.counts[value])) : text.filters[value]('').trim(),
          }))}
          onChange={(state) => setPage({ state, skip: 0 })}
        />
      </div>
      <SectionView query={query} failed={text.failed} loading={<ListSkeleton rows={1} />} stale={errors.outdated}>
        {({ messages, total, skip }) => (
          <>
            {messages.length > 0 ? (
              <ul className="operator-inbox" aria-busy={isPlaceholderData || undefined}>
                {messages.map((message) => (
                  <MessageRow key={message.id} message={message} onOpen={() => setOpenedId(message.id)} />
                ))}
              </ul>
            ) : (
              <p className="card operator-empty operator-empty--card">
                <CircleCheck className="icon" />
                <span>{text.empty[page.state]}</span>
              </p>
            )}
            {total > 0 && (
              <Pager
                total={total}
                skip={skip}
                shown={messages.length}
                pageSize={pageSize}
                isOutdated={isPlaceholderData}
                toPage={(to) => setPage({ ...page, skip: to })}
              />
            )}
          </>
        )}
      </SectionView>
      <MessageDrawer
        id={openedId}
        onClose={() => setOpenedId(null)}
        onOpenUser={(id) => {
          setOpenedId(null)
          onOpenUser(id)
        }}
      />
    </section>
  )
}

function MessageRow({ message, onOpen }: { message: SupportSummary; onOpen: () => void }) {
  const text = useText({ operatorSupport })
  const format = useFormat()
  const { subject, name, excerpt, priority, sent_at: sentAt } = message
  return (
    <li className="card" data-support-message={message.id}>
      <div className="operator-inbox__head">
        <button type="button" className="text-button" aria-label={text.open(subject, name)} onClick={onOpen}>
          <b dir="auto" translate="no">
            {subject}
          </b>
        </button>
        {priority && <span className="badge badge--warn">{text.priority}</span>}
      </div>
      <p className="small muted operator-inbox__excerpt" dir="auto" translate="no">
        {excerpt}
      </p>
      <p className="tiny muted operator-inbox__from">
        <bdi translate="no">{name}</bdi>
        <time className="tabular-numbers" dateTime={sentAt} translate="no">
          {format.dateTime(sentAt)}
        </time>
      </p>
    </li>
  )
}

const messageQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: [...operatorKey, 'support-message', id],
    queryFn: ({ signal }) => api.call(getSupportMessage, { params: { id } }, { signal }),
  })

interface Props {
  /** Null while it is closed. */
  id: string | null
  onClose: () => void
  onOpenUser: (id: string) => void
}

/** One message to support, and what an operator can do with it. */
function MessageDrawer({ id, onClose, onOpenUser }: Props) {
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
  const error = useLastError(query)
  if (error instanceof ApiError && error.status === 404) return <p className="operator-empty">{text.gone}</p>
  return (
    <SectionView
      query={query}
      failed={text.failedMessage}
      loading={
        <RowsSkeleton rows={4}>{(row) => <Skeleton width={row % 2 ? '70%' : '85%'} height="1.2rem" />}</RowsSkeleton>
      }
    >
      {(message) => (
        <div className="operator-drawer">
          <MessageDetails message={message} onOpenUser={onOpenUser} />
          <p className="operator-inbox__text" dir="auto" translate="no">
            {message.message}
          </p>
          <Actions message={message} onClose={onClose} />
        </div>
      )}
    </SectionView>
  )
}

function MessageDetails({ message, onOpenUser }: { message: SupportMessage; onOpenUser: (id: string) => void }) {
  const text = useText({ operatorSupport })
  const { owner } = useText({ operator })
  const format = useFormat()
  const { name, email, account } = message
  const times = [
    [message.sent_at, text.sent],
    [message.answered_at, text.answeredAt],
  ] as const
  return (
    <dl className="operator-facts">
      <Fact name={text.from} translate="no">
        <bdi>{name}</bdi>
      </Fact>
      <Fact name={text.address}>
        <EmailAddress email={email} />
        <span className="tiny muted operator-line">{text.unconfirmed}</span>
      </Fact>
      <Fact name={text.account}>
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
      </Fact>
      {times.map(
        ([at, what]) =>
          at !== null && (
            <Fact key={what} name={what} className="tabular-numbers" translate="no">
              {format.dateTime(at)}
            </Fact>
          ),
      )}
    </dl>
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
  const api = useApi()
  const queryClient = useQueryClient()
  const toast = useToast()
  const [isDeleting, setDeleting] = useState(false)
  /** Moves the message to another list. */
  const change = useMutation({
    mutationFn: (state: SupportState) =>
      api.call(changeSupportMessage, { params: { id: message.id }, body: { state } }),
    onSuccess(changed) {
      queryClient.setQueryData(messageQuery(api, message.id).queryKey, changed)
      toast({ text: text.changed[changed.state] })
    },
    // Without waiting for it: the next change can follow at once.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: operatorKey }),
  })
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
      {isDeleting && (
        <ConfirmedAction
          title={text.deletion.title}
          question={text.deletion.question(message.name)}
          submit={text.deletion.submit}
          danger
          act={(reason) => api.call(deleteSupportMessage, { params: { id: message.id }, body: { reason } })}
          done={() => {
            onClose()
            return text.deletion.done
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}
