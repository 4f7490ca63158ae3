import { Download, RotateCw, Search } from 'lucide-react'
import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { limits } from '@keepsnap/contract/limits.ts'
import {
  exportPhotoRequests,
  type PhotoRequest,
  type RequestState,
  type resendFailedRequests,
} from '@keepsnap/contract/guests.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { requests as messages } from '../../messages/en/guests.ts'
import { states } from '../../messages/en/frame.ts'
import { refusalMessage } from '../../lib/api-errors.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmAction } from '../../ui/Dialog.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { downloadFile } from '../../lib/urls.ts'
import { EmailGateSwitch, useEmailGate } from '../accounts/Switches.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { EmptyState, hasFailed, LoadFailed } from '../../ui/QueryView.tsx'
import { keepScroll } from '../../lib/viewport.ts'
import { Note } from '../../ui/Note.tsx'
import { isFiltered, noFilter, type RequestFilter, requestsQuery, summaryOf, useResendFailed } from './requests.ts'
import { reportsQuery } from './reports.ts'
import { Reports } from './Reports.tsx'
import { RequestTable } from './RequestTable.tsx'
import './guests.css'

/** The photos that guests requested by email, with their states; above them, the photos that guests reported. */
export function PhotoRequestsPage() {
  const text = useText({ requests: messages })
  usePageTitle(text.title)
  const [filter, setFilter] = useRequestFilter()
  const requestList = useRequestList(filter)
  const { data } = requestList
  const loadedRequests = useMemo(() => data?.pages.flatMap((page) => page.requests), [data])
  // The reports are above the requests: shown later, they would push them down.
  const reports = useQuery(reportsQuery(useApi()))
  const requests = reports.isPending && !hasFailed(reports) ? undefined : loadedRequests
  const emailGate = useEmailGate()
  const gateSwitch = useRef<HTMLInputElement>(null)
  const switchGateOn = (): void => {
    emailGate.change(true)
    gateSwitch.current?.focus()
  }
  const isNoneFound = requests?.length === 0
  const isEmpty = isNoneFound && !isFiltered(filter) && !requestList.isPlaceholderData
  return (
    <div className="wrap">
      <RequestsHead requestList={requestList} isLoaded={requests !== undefined} isFiltered={isFiltered(filter)} />
      <div className="card requests-gate">
        <EmailGateSwitch gate={emailGate} ref={gateSwitch} />
      </div>
      {(requests || hasFailed(requestList)) && <Reports />}
      {requests && requestList.isRefetchError && (
        <div className="requests-note">
          <Note tone="bad">{text.errors.load}</Note>
        </div>
      )}
      {(isFiltered(filter) || (requests && !isEmpty)) && (
        <FilterBar requestList={requestList} filter={filter} onFilter={setFilter} />
      )}
      {requests && !isNoneFound && <RequestRows requestList={requestList} requests={requests} />}
      {isNoneFound && !isEmpty && (
        <div className="card">
          <EmptyState sentence={text.noMatch}>
            <Button onClick={() => setFilter(noFilter)}>{text.showAll}</Button>
          </EmptyState>
        </div>
      )}
      {isEmpty && (
        <div className="card">
          <EmptyState sentence={text.empty}>
            {!emailGate.value && <Button onClick={switchGateOn}>{text.askForEmail}</Button>}
          </EmptyState>
        </div>
      )}
      {!requests &&
        (hasFailed(requestList) ? (
          <LoadFailed
            sentence={text.errors.load}
            busy={requestList.isFetching}
            onRetry={() => void requestList.refetch()}
          />
        ) : (
          <RequestsSkeleton />
        ))}
    </div>
  )
}

interface HeadProps {
  requestList: RequestList
  isLoaded: boolean
  isFiltered: boolean
}

/** Its parts have their places before the requests are loaded. */
function RequestsHead({ requestList, isLoaded, isFiltered }: HeadProps) {
  const text = useText({ requests: messages })
  const format = useFormat()
  const { mutate: exportCsv, isPending: isExporting } = useCsvExport()
  const counts = isLoaded ? requestList.data?.pages.at(-1)?.counts : undefined
  const removal = isLoaded ? requestList.data?.pages[0]?.nextRemoval : null
  const isRefreshing = requestList.isRefetching && !requestList.isFetchingNextPage
  return (
    <>
      <header className="page-head">
        <div>
          <PageHeading>{text.title}</PageHeading>
          <p className="tabular-numbers">{counts ? summaryOf(counts, text, format) : '\u00A0'}</p>
        </div>
        <div className="row">
          <Button busy={isExporting} disabled={counts?.total === 0} onClick={() => exportCsv()}>
            {!isExporting && <Download className="icon" />}
            {text.export}
          </Button>
          <Button busy={isRefreshing} onClick={() => void requestList.refetch()}>
            {!isRefreshing && <RotateCw className="icon" />}
            {text.refresh}
          </Button>
        </div>
      </header>
      {counts && (removal || isFiltered) && (
        <p className="small muted requests-removal">
          {removal && (
            <span>{text.removal(format.day(removal.at), removal.addresses, format.count(removal.addresses))} </span>
          )}
          {isFiltered && <span>{text.exportsAll}</span>}
        </p>
      )}
    </>
  )
}

interface FilterProps {
  requestList: RequestList
  filter: RequestFilter
  onFilter: (filter: RequestFilter) => void
}

function FilterBar({ requestList: { data, isPlaceholderData }, filter, onFilter }: FilterProps) {
  const text = useText({ requests: messages })
  const format = useFormat()
  const page = data?.pages.at(-1)
  return (
    <div className="requests-bar">
      <RequestFilters filter={filter} onChange={onFilter} />
      <output className="small muted tabular-numbers">
        {isFiltered(filter) && page && !isPlaceholderData && text.found(page.found, format.count(page.found))}
      </output>
      {page && <ResendFailed count={page.counts.failed} />}
    </div>
  )
}

/** Search by address, and the state to show. */
function RequestFilters({ filter, onChange }: { filter: RequestFilter; onChange: (filter: RequestFilter) => void }) {
  const text = useText({ requests: messages })
  const id = useId()
  const [typed, setTyped] = useState(filter.email)
  const searchTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(searchTimer.current), [])
  const change = (now: RequestFilter, delayMs = 0): void => {
    clearTimeout(searchTimer.current)
    searchTimer.current = setTimeout(() => onChange(now), delayMs)
  }
  // Changed elsewhere: by Back, or the button that shows all.
  const [shownFor, setShownFor] = useState(filter.email)
  if (shownFor !== filter.email) {
    setShownFor(filter.email)
    if (typed.trim() !== filter.email) setTyped(filter.email)
  }
  return (
    <div className="requests-filters">
      <div className="search-box requests-search">
        <label className="visually-hidden" htmlFor={`${id}-search`}>
          {text.search}
        </label>
        <Search className="icon" />
        <input
          id={`${id}-search`}
          className="input"
          type="search"
          inputMode="email"
          value={typed}
          maxLength={limits.emailChars}
          placeholder={text.search}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => {
            setTyped(target.value)
            change({ ...filter, email: target.value.trim() }, searchDebounceMs)
          }}
        />
      </div>
      <label className="visually-hidden" htmlFor={`${id}-state`}>
        {text.filter}
      </label>
      <select
        id={`${id}-state`}
        className="input"
        value={filter.state ?? ''}
        onChange={({ target }) =>
          change({ email: typed.trim(), state: requestStates.find((state) => state === target.value) ?? null })
        }
      >
        <option value="">{text.allStates}</option>
        {requestStates.map((state) => (
          <option key={state} value={state}>
            {text.states[state]}
          </option>
        ))}
      </select>
    </div>
  )
}

/** The rows; more are loaded near their end. After a failure, a button loads them. */
function RequestRows({ requestList, requests }: { requestList: RequestList; requests: readonly PhotoRequest[] }) {
  const text = useText({ requests: messages })
  const { data, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError, isPlaceholderData } = requestList
  // Clicked while something else is loading: it is done after that.
  const [isRetrying, setIsRetrying] = useState(false)
  const mayLoad = hasNextPage && !isFetching && !isPlaceholderData && (!isFetchNextPageError || isRetrying)
  const { fetchNextPage } = requestList
  const loadMore = useCallback(() => {
    setIsRetrying(false)
    void fetchNextPage()
  }, [fetchNextPage])
  const isLoading = isFetchingNextPage || isRetrying
  return (
    <>
      <RequestTable
        requests={requests}
        total={data?.pages.at(-1)?.found ?? requests.length}
        isOutdated={isPlaceholderData}
        loadMore={mayLoad ? loadMore : null}
      />
      {hasNextPage && (
        <div className="requests-more">
          {isFetchNextPageError ? (
            <>
              <Note tone="bad">{text.errors.more}</Note>
              <Button busy={isLoading} onClick={() => setIsRetrying(true)}>
                {text.more}
              </Button>
            </>
          ) : (
            <output className="small muted">{isLoading && text.loadingMore}</output>
          )}
        </div>
      )}
    </>
  )
}

/** Sends all failed emails again, after a question with their number. */
function ResendFailed({ count }: { count: number }) {
  const text = useText({ requests: messages })
  const format = useFormat()
  const toast = useToast()
  const [isOpen, setIsOpen] = useState(false)
  const action = useResendFailed()
  if (count === 0 && !isOpen) return null
  const { title, question, details, confirm } = text.resendFailed
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <RotateCw className="icon" />
        {text.resendAll}
      </Button>
      <ConfirmAction
        open={isOpen}
        title={title}
        question={question(count, format.count(count))}
        details={<p className="small muted">{details}</p>}
        confirm={confirm}
        tone="primary"
        action={action}
        input={undefined}
        problemOf={(error) => refusalMessage(error, text.errors.resendAll)}
        onDone={(resent) => {
          const isTold = resent.refused > 0 || resent.left > 0
          toast({ text: resentSentence(resent, text, format), tone: isTold ? 'bad' : 'ok' })
        }}
        onClose={() => setIsOpen(false)}
      />
    </>
  )
}

const searchDebounceMs = 250

const requestStates = ['queued', 'waiting', 'sent', 'failed'] as const satisfies readonly RequestState[]

const rowCount = 5

/** Shown while the list of requests is loading. */
function RequestsSkeleton() {
  return (
    <div className="card requests">
      <output className="visually-hidden">{useText({ states }).loading}</output>
      <div className="requests__skeleton" aria-hidden="true">
        {Array.from({ length: rowCount }, (_, index) => (
          <div key={index}>
            <span className="skeleton" />
            <span className="skeleton requests__skeleton-photo" />
            <span className="skeleton" />
          </div>
        ))}
      </div>
    </div>
  )
}

/** What became of the failed emails, in sentences. */
function resentSentence(
  resent: Reply<typeof resendFailedRequests>,
  { resendFailed }: Catalogue['requests'],
  format: Format,
): string {
  const parts = (['queued', 'waiting', 'refused', 'left'] as const)
    .filter((part) => resent[part] > 0)
    .map((part) => resendFailed[part](resent[part], format.count(resent[part])))
  return parts.join(' ') || resendFailed.none
}

/** Today in the browser's time zone, `2026-11-14`. */
function today(): string {
  const now = new Date()
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** Saves all requests as a CSV file. Fetched by script, because a link would not send the session's token. */
function useCsvExport() {
  const api = useApi()
  const toast = useToast()
  const text = useText({ requests: messages })
  return useMutation({
    mutationFn: () => api.bytes(exportPhotoRequests, { query: {} }),
    onSuccess: (bytes) => downloadFile(bytes, text.filename(today())),
    onError: (error) => toast({ text: refusalMessage(error, text.errors.export), tone: 'bad' }),
  })
}

type RequestList = ReturnType<typeof useRequestList>

const useRequestList = (filter: RequestFilter) => useInfiniteQuery(requestsQuery(useApi(), filter))

/** The filter of the list, kept in the history: Back and a reload show it again, and no URL has an address. */
function useRequestFilter(): [RequestFilter, (filter: RequestFilter) => void] {
  const navigate = useNavigate()
  const state = useLocation().state as { requestFilter?: RequestFilter } | null
  const filter = state?.requestFilter ?? noFilter
  const setFilter = (requestFilter: RequestFilter): void =>
    void navigate('.', { replace: true, state: { ...keepScroll, requestFilter } })
  return [filter, setFilter]
}
