import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Download, RotateCw, TriangleAlert } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { reportsQuery } from '../features/reports/queries.ts'
import { Reports } from '../features/reports/Reports.tsx'
import { summaryOf } from '../features/requests/messages.ts'
import { requestsQuery } from '../features/requests/queries.ts'
import { isFiltered, noFilter, type RequestFilter } from '../features/requests/request-pages.ts'
import { RequestFilters } from '../features/requests/RequestFilters.tsx'
import { RequestsSkeleton } from '../features/requests/RequestsSkeleton.tsx'
import { RequestTable } from '../features/requests/RequestTable.tsx'
import { ResendFailed } from '../features/requests/ResendFailed.tsx'
import { useCsvExport } from '../features/requests/useCsvExport.ts'
import { EmailGateSwitch, useEmailGate } from '../features/settings/EmailGateSwitch.tsx'
import { useFormat, useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { useApi } from '../lib/app-services.tsx'
import { hasFailed } from '../lib/query-failure.ts'
import { keepScroll } from '../lib/scroll-restoration.ts'
import { requests as messages } from '../messages/en/requests.ts'
import { states } from '../messages/en/states.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'
import { EmptyState } from '../ui/State.tsx'
import { useSetPhotoHidden } from '../features/photos/useSetPhotoHidden.ts'
import '../features/requests/requests.css'

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
  const onDecided = useSetPhotoHidden()
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
      {(requests || hasFailed(requestList)) && <Reports onDecided={onDecided} />}
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
          <RequestsLoadFailed busy={requestList.isFetching} onRetry={() => void requestList.refetch()} />
        ) : (
          <RequestsSkeleton />
        ))}
    </div>
  )
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

/** Its parts have their places before the requests are loaded. */
function RequestsHead({
  requestList,
  isLoaded,
  isFiltered,
}: {
  requestList: RequestList
  isLoaded: boolean
  isFiltered: boolean
}) {
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
          <PageHeading>{text.heading}</PageHeading>
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

function FilterBar({
  requestList: { data, isPlaceholderData },
  filter,
  onFilter,
}: {
  requestList: RequestList
  filter: RequestFilter
  onFilter: (filter: RequestFilter) => void
}) {
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

function RequestsLoadFailed({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  const text = useText({ requests: messages })
  const { tryAgain } = useText({ states })
  return (
    <div className="card state" role="alert">
      <TriangleAlert className="icon requests-error-icon" />
      <p>{text.errors.load}</p>
      <Button busy={busy} onClick={onRetry}>
        {tryAgain}
      </Button>
    </div>
  )
}
