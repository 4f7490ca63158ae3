import type { SupportState, SupportSummary } from '@keepsnap/contract/operator-support.ts'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { hasFailed } from '../../lib/query-failure.ts'
import { operator } from '../../messages/en/operator.ts'
import { operatorSupport } from '../../messages/en/operator-support.ts'
import { Note } from '../../ui/Note.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { SectionLoadFailed } from './SectionLoadFailed.tsx'
import { Pager } from './Pager.tsx'
import { MessageDrawer } from './MessageDrawer.tsx'
import { messagesPageSize, messagesQuery } from './support-queries.ts'
import { ListSkeleton } from './ListSkeleton.tsx'

const supportStates = ['open', 'answered', 'suspected'] as const

/** Messages from the contact form, by state. */
export function SupportInbox({ onOpenUser }: { onOpenUser: (id: string) => void }) {
  const text = useText({ operatorSupport })
  const { outdated } = useText({ operator }).errors
  const format = useFormat()
  const heading = useId()
  const [page, setPage] = useState<{ state: SupportState; skip: number }>({ state: 'open', skip: 0 })
  const [openedId, setOpenedId] = useState<string | null>(null)
  const query = useQuery(messagesQuery(useApi(), page))
  const { data, isFetching, isPlaceholderData, refetch } = query
  const isFailed = hasFailed(query)
  const toPage = (skip: number): void => setPage({ ...page, skip })
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
      {!data && isFailed && (
        <SectionLoadFailed sentence={text.failed} busy={isFetching} onRetry={() => void refetch()} />
      )}
      {!data && !isFailed && <ListSkeleton rows={1} />}
      {data && isFailed && <Note tone="bad">{outdated}</Note>}
      {data && data.messages.length > 0 && (
        <ul className="operator-inbox" aria-busy={isPlaceholderData || undefined}>
          {data.messages.map((message) => (
            <MessageRow key={message.id} message={message} onOpen={() => setOpenedId(message.id)} />
          ))}
        </ul>
      )}
      {data?.messages.length === 0 && (
        <p className="card operator-empty operator-empty--card">
          <CircleCheck className="icon" />
          <span>{text.empty[page.state]}</span>
        </p>
      )}
      {data && data.total > 0 && (
        <Pager
          {...data}
          shown={data.messages.length}
          pageSize={messagesPageSize}
          isOutdated={isPlaceholderData}
          toPage={toPage}
        />
      )}
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
