import { adminLimits } from '@keepsnap/contract/limits.ts'
import { type UserFilter, userFilters } from '@keepsnap/contract/operator-users.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useId, useState } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { hasFailed } from '../../lib/query-failure.ts'
import { operatorUsers } from '../../messages/en/operator-users.ts'
import { operator } from '../../messages/en/operator.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { ListSkeleton } from './ListSkeleton.tsx'
import { Pager } from './Pager.tsx'
import { SectionLoadFailed } from './SectionLoadFailed.tsx'
import { UserTable } from './UserTable.tsx'
import { type UserListInput, usersPageSize, usersQuery } from './queries.ts'

const searchDebounceMs = 250

interface Props {
  filter: UserFilter
  onFilter: (filter: UserFilter) => void
  onOpen: (id: string) => void
  headingRef: Ref<HTMLHeadingElement>
}

/** All users, with search, filter and pages. */
export function UsersSection({ filter, onFilter, onOpen, headingRef }: Props) {
  const text = useText({ operatorUsers })
  const id = useId()
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim(), searchDebounceMs)
  const list = useUserList(search, filter)
  return (
    <section className="operator-section" aria-labelledby={id}>
      <div className="operator-users__head">
        <h2 id={id} ref={headingRef} tabIndex={-1}>
          {text.heading}
        </h2>
        <SearchField value={typed} onChange={setTyped} />
        <SegmentedControl
          legend={text.filter}
          value={filter}
          options={userFilters.map((value) => ({ value, label: text.filters[value] }))}
          onChange={onFilter}
        />
      </div>
      <UserList
        list={list}
        onOpen={onOpen}
        empty={
          <NoUsers search={search} filter={filter} onClear={() => setTyped('')} onShowAll={() => onFilter('all')} />
        }
      />
    </section>
  )
}

type Query = UseQueryResult<{ users: Parameters<typeof UserTable>[0]['users']; total: number; skip: number }>

interface UserListState {
  query: Query
  toPage: (skip: number) => void
}

/** Another search or filter begins with the first page. */
function useUserList(search: string, filter: UserFilter): UserListState {
  const [page, setPage] = useState<UserListInput>({ search, filter, skip: 0 })
  if (page.search !== search || page.filter !== filter) setPage({ search, filter, skip: 0 })
  const query = useQuery(usersQuery(useApi(), page))
  return { query, toPage: (skip) => setPage({ search, filter, skip }) }
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const text = useText({ operatorUsers })
  const id = useId()
  return (
    <div className="operator-search">
      <label className="visually-hidden" htmlFor={id}>
        {text.search}
      </label>
      <Search className="icon" />
      <input
        id={id}
        className="input"
        type="search"
        value={value}
        maxLength={adminLimits.searchChars}
        placeholder={text.searchHint}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}

function UserList({
  list: { query, toPage },
  onOpen,
  empty,
}: {
  list: UserListState
  onOpen: Props['onOpen']
  empty: ReactNode
}) {
  const { errors } = useText({ operatorUsers })
  const { outdated } = useText({ operator }).errors
  const { data, isPlaceholderData } = query
  if (!data) {
    return hasFailed(query) ? (
      <SectionLoadFailed sentence={errors.list} busy={query.isFetching} onRetry={() => void query.refetch()} />
    ) : (
      <ListSkeleton rows={5} />
    )
  }
  return (
    <>
      {query.isError && <Note tone="bad">{outdated}</Note>}
      {data.users.length === 0 ? (
        empty
      ) : (
        <UserTable users={data.users} isOutdated={isPlaceholderData} onOpen={onOpen} />
      )}
      <Pager
        {...data}
        shown={data.users.length}
        pageSize={usersPageSize}
        isOutdated={isPlaceholderData}
        toPage={toPage}
      />
    </>
  )
}

interface NoUsersProps {
  search: string
  filter: UserFilter
  onClear: () => void
  onShowAll: () => void
}

function NoUsers({ search, filter, onClear, onShowAll }: NoUsersProps) {
  const text = useText({ operatorUsers })
  return (
    <div className="card state operator-state">
      <Search className="icon" />
      <p>{search !== '' ? text.noMatch : filter === 'all' ? text.empty : text.noneInList}</p>
      {search !== '' ? (
        <Button onClick={onClear}>{text.clear}</Button>
      ) : (
        filter !== 'all' && <Button onClick={onShowAll}>{text.showAll}</Button>
      )}
    </div>
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
