import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type Ref, useEffect, useId, useState } from 'react'
import { operatorListUsers, type OperatorUser, type UserFilter, userFilters } from '@keepsnap/contract/operators.ts'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { operator, operatorUsers } from '../../messages/en/operators.ts'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { Button } from '../../ui/Button.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { planText, UserBadge } from './UserDrawer.tsx'
import { CardTable, ListSkeleton, operatorKey, Pager, SectionView } from './section-parts.tsx'

const searchDebounceMs = 250
const pageSize = 20

interface Props {
  filter: UserFilter
  onFilter: (filter: UserFilter) => void
  onOpen: (id: string) => void
  headingRef: Ref<HTMLHeadingElement>
}

/** All users, with search, filter and pages. */
export function UsersSection({ filter, onFilter, onOpen, headingRef }: Props) {
  const text = useText({ operatorUsers })
  const { errors } = useText({ operator })
  const [id, field] = [useId(), useId()]
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim(), searchDebounceMs)
  const [page, setPage] = useState({ search, filter, skip: 0 })
  // Another search or filter begins with the first page.
  if (page.search !== search || page.filter !== filter) setPage({ search, filter, skip: 0 })
  const api = useApi()
  const query = useQuery({
    queryKey: [...operatorKey, 'users', page],
    queryFn({ signal }) {
      const { skip } = page
      return api.call(
        operatorListUsers,
        { query: { filter: page.filter, skip, limit: pageSize, ...(page.search && { search: page.search }) } },
        { signal },
      )
    },
    placeholderData: keepPreviousData,
  })
  return (
    <section className="operator-section" aria-labelledby={id}>
      <div className="operator-users__head">
        <h2 id={id} ref={headingRef} tabIndex={-1}>
          {text.heading}
        </h2>
        <div className="search-box operator-search">
          <label className="visually-hidden" htmlFor={field}>
            {text.search}
          </label>
          <Search className="icon" />
          <input
            id={field}
            className="input"
            type="search"
            value={typed}
            maxLength={adminLimits.searchChars}
            placeholder={text.searchHint}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        <SegmentedControl
          legend={text.filter}
          value={filter}
          options={userFilters.map((value) => ({ value, label: text.filters[value] }))}
          onChange={onFilter}
        />
      </div>
      <SectionView query={query} failed={text.errors.list} loading={<ListSkeleton rows={5} />} stale={errors.outdated}>
        {(data) => (
          <>
            {data.users.length > 0 ? (
              <CardTable
                kind="users"
                label={text.heading}
                columns={columns}
                names={text.columns}
                isOutdated={query.isPlaceholderData}
              >
                {data.users.map((user) => (
                  <UserRow key={user.id} user={user} onOpen={onOpen} />
                ))}
              </CardTable>
            ) : (
              <div className="card state operator-state">
                <Search className="icon" />
                <p>{search !== '' ? text.noMatch : filter === 'all' ? text.empty : text.noneInList}</p>
                {search !== '' ? (
                  <Button onClick={() => setTyped('')}>{text.clear}</Button>
                ) : (
                  filter !== 'all' && <Button onClick={() => onFilter('all')}>{text.showAll}</Button>
                )}
              </div>
            )}
            <Pager
              {...data}
              shown={data.users.length}
              pageSize={pageSize}
              isOutdated={query.isPlaceholderData}
              toPage={(skip) => setPage({ search, filter, skip })}
            />
          </>
        )}
      </SectionView>
    </section>
  )
}

const columns = ['user', 'plan', 'state', 'photos', 'storage', 'since'] as const

function UserRow({ user, onOpen }: { user: OperatorUser; onOpen: (id: string) => void }) {
  const text = useText({ operatorUsers })
  const format = useFormat()
  const percent = Math.min(100, (user.storage_used_bytes / user.storage_bytes) * 100)
  return (
    <tr data-user={user.id}>
      <td>
        <button type="button" className="text-button operator-user" onClick={() => onOpen(user.id)}>
          <b translate="no">{user.username}</b>
        </button>
        {user.is_admin && <span className="badge operator-user__admin">{text.states.admin}</span>}
        <span className="tiny muted operator-line">
          <EmailAddress email={user.email} />
        </span>
      </td>
      <td>{planText(user, text, format)}</td>
      <td>
        <UserBadge user={user} />
      </td>
      <td className="tabular-numbers">
        <span className="operator-user__photos">
          {text.of(format.count(user.photos_this_month), format.count(user.photos_per_month))}
        </span>
        <span className="operator-user__photos--named">
          {text.photosOf(format.count(user.photos_this_month), format.count(user.photos_per_month))}
        </span>
      </td>
      <td className="tabular-numbers">
        <span className="operator-user__storage" translate="no">
          {format.size(user.storage_used_bytes)}
          <span className="progress-bar" aria-hidden="true">
            <i style={{ width: `${percent}%` }} />
          </span>
        </span>
      </td>
      <td className="tabular-numbers" translate="no">
        {format.date(user.created_at)}
      </td>
    </tr>
  )
}

/** Debounces a value: returns the last one that stayed the same for `ms`. */
function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const settleTimer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(settleTimer)
  }, [value, ms])
  return settled
}
