import { type AuditEntry, listAuditEntries } from '@keepsnap/contract/operators.ts'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { operator } from '../../messages/en/operators.ts'
import { LoadMore } from '../../ui/QueryView.tsx'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { Note } from '../../ui/Note.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { CardTable, ListSkeleton, operatorKey, SectionView } from './section-parts.tsx'

const pageSize = 20
const actors = ['all', 'operator', 'command', 'admin key', 'helper'] as const
type Actor = (typeof actors)[number]
const columns = ['at', 'by', 'action', 'reason', 'outcome'] as const

/** The audit log, newest first, page by page; all of it, or what is about an account or done by a kind of actor. */
export const auditQuery = (
  api: Api,
  { limit, userId, by }: { limit: number; userId?: string; by?: AuditEntry['by']['kind'] | undefined },
) =>
  infiniteQueryOptions({
    queryKey: [...operatorKey, 'audit', { limit, userId, by }],
    queryFn: ({ pageParam, signal }): Promise<{ entries: AuditEntry[]; has_more: boolean }> => {
      const filters = { ...(userId && { user_id: userId }), ...(by && { by }) }
      const query = { limit, ...filters, ...(pageParam !== null && { before: pageParam }) }
      return api.call(listAuditEntries, { query }, { signal })
    },
    initialPageParam: null as string | null, // widens the type of the first page's parameter
    getNextPageParam: ({ entries, has_more }) => (has_more ? (entries.at(-1)?.id ?? null) : null),
  })

/** What operators and programs with admin keys have done. */
export function AuditLogSection({ onOpenUser }: { onOpenUser: (id: string) => void }) {
  const { audit: text, errors, more } = useText({ operator })
  const heading = useId()
  const [by, setBy] = useState<Actor>('all')
  const filter = by === 'all' ? undefined : by
  const log = useInfiniteQuery(auditQuery(useApi(), { limit: pageSize, by: filter }))
  return (
    <section className="operator-section" aria-labelledby={heading}>
      <div className="row row--between">
        <div>
          <h2 id={heading}>{text.heading}</h2>
          <p className="small muted">{text.lead}</p>
        </div>
        <SegmentedControl
          legend={text.filter}
          value={by}
          options={actors.map((value) => ({ value, label: text.filters[value] }))}
          onChange={setBy}
        />
      </div>
      <SectionView query={log} failed={errors.audit} loading={<ListSkeleton rows={4} />} stale={errors.outdated}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries)
          if (entries.length === 0)
            return (
              <p className="card operator-empty operator-empty--card">{by === 'all' ? text.empty : text.noneOfKind}</p>
            )
          return (
            <CardTable kind="audit" label={text.heading} columns={columns} names={text.columns}>
              {entries.map((entry) => (
                <AuditRow key={entry.id} entry={entry} onOpenUser={onOpenUser} />
              ))}
            </CardTable>
          )
        }}
      </SectionView>
      <LoadMore query={log} label={more} className="operator-more">
        {log.isFetchNextPageError && <Note tone="bad">{errors.moreAudit}</Note>}
      </LoadMore>
    </section>
  )
}

function AuditRow({ entry, onOpenUser }: { entry: AuditEntry; onOpenUser: (id: string) => void }) {
  const text = useText({ operator }).audit
  const format = useFormat()
  const { at, by, action, reason, outcome, detail } = entry
  const isDone = outcome === 'done'
  return (
    <tr data-audit-entry={entry.id}>
      <td className="tabular-numbers operator-audit__at">
        <time dateTime={at} translate="no">
          {format.dateTime(at)}
        </time>
      </td>
      <td>
        {by.kind === 'operator' ? (
          <EmailAddress email={by.name} />
        ) : (
          <span className="operator-audit__name" translate="no">
            {by.name}
          </span>
        )}
        {by.kind !== 'operator' && <span className="tiny muted operator-line">{text.kinds[by.kind]}</span>}
      </td>
      <td>
        <span className="operator-audit__action" translate="no">
          {action}
        </span>
        <Subject entry={entry} onOpenUser={onOpenUser} />
      </td>
      <td className="operator-audit__reason">
        {reason === null ? <span className="muted">{text.noReason}</span> : <span translate="no">{reason}</span>}
      </td>
      <td>
        <span className={`badge ${isDone ? 'badge--ok' : 'badge--bad'}`}>{text.outcomes[outcome]}</span>
        {detail && (
          <span className="tiny muted operator-line operator-audit__detail" translate="no">
            {detail}
          </span>
        )}
      </td>
    </tr>
  )
}

/** The account or photo that an action was done to; an account can be opened. */
function Subject({ entry: { subject }, onOpenUser }: { entry: AuditEntry; onOpenUser: (id: string) => void }) {
  const { owner } = useText({ operator })
  if (!subject) return null
  const name = subject.name ?? subject.id
  if (subject.kind === 'photo') {
    return (
      <span className="tiny muted operator-line" translate="no">
        {name}
      </span>
    )
  }
  return (
    <button
      type="button"
      className="text-button tiny muted operator-line"
      aria-label={owner(name)}
      onClick={() => onOpenUser(subject.id)}
    >
      <span translate="no">{name}</span>
    </button>
  )
}
