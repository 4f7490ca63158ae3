import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Download, RotateCw, TriangleAlert } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { reportsQuery } from '../features/reports/queries.ts'
import { Reports } from '../features/reports/Reports.tsx'
import { summaryOf } from '../features/requests/messages.ts'
import { requestsQuery } from '../features/requests/queries.ts'
import { RequestsSkeleton } from '../features/requests/RequestsSkeleton.tsx'
import { RequestTable } from '../features/requests/RequestTable.tsx'
import { useCsvExport } from '../features/requests/useCsvExport.ts'
import { EmailGateSwitch, useEmailGate } from '../features/settings/EmailGateSwitch.tsx'
import { useFormat, useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { useApi } from '../lib/app-services.tsx'
import { hasFailed } from '../lib/query-failure.ts'
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
  const requestList = useRequestList()
  const loadedRequests = useMemo(() => requestList.data?.pages.flatMap((page) => page.requests), [requestList.data])
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
  const isEmpty = requests?.length === 0
  return (
    <div className="wrap">
      <RequestsHead requestList={requestList} count={requests?.length} />
      <div className="card requests-gate">
        <EmailGateSwitch gate={emailGate} ref={gateSwitch} />
      </div>
      {(requests || hasFailed(requestList)) && <Reports onDecided={onDecided} />}
      {requests && requestList.isRefetchError && (
        <div className="requests-note">
          <Note tone="bad">{text.errors.load}</Note>
        </div>
      )}
      {requests && !isEmpty && <RequestTable requests={requests} />}
      {requests && !isEmpty && <ShowMoreRequests requestList={requestList} />}
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
const useRequestList = () => useInfiniteQuery(requestsQuery(useApi()))

/** Its parts have their places before the requests are loaded. */
function RequestsHead({ requestList, count }: { requestList: RequestList; count: number | undefined }) {
  const text = useText({ requests: messages })
  const format = useFormat()
  const { mutate: exportCsv, isPending: isExporting } = useCsvExport()
  const counts = requestList.data?.pages.at(-1)?.counts
  const summary = counts && count !== undefined && summaryOf(counts, text, format)
  const isRefreshing = requestList.isRefetching && !requestList.isFetchingNextPage
  return (
    <header className="page-head">
      <div>
        <PageHeading>{text.heading}</PageHeading>
        <p className="tabular-numbers">{summary || '\u00A0'}</p>
      </div>
      <div className="row">
        <Button busy={isExporting} disabled={count === 0} onClick={() => exportCsv()}>
          {!isExporting && <Download className="icon" />}
          {text.export}
        </Button>
        <Button busy={isRefreshing} onClick={() => void requestList.refetch()}>
          {!isRefreshing && <RotateCw className="icon" />}
          {text.refresh}
        </Button>
      </div>
    </header>
  )
}

function ShowMoreRequests({ requestList }: { requestList: RequestList }) {
  const text = useText({ requests: messages })
  if (!requestList.hasNextPage) return null
  return (
    <div className="requests-more">
      {requestList.isFetchNextPageError && <Note tone="bad">{text.errors.more}</Note>}
      <Button
        busy={requestList.isFetchingNextPage}
        onClick={() => !requestList.isFetching && void requestList.fetchNextPage()}
      >
        {text.more}
      </Button>
    </div>
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
