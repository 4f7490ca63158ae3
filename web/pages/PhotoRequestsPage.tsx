import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, RotateCw, TriangleAlert } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { Reports } from '../features/reports/Reports.tsx'
import { summaryOf } from '../features/requests/messages.ts'
import { requestsQuery } from '../features/requests/queries.ts'
import { RequestsSkeleton } from '../features/requests/RequestsSkeleton.tsx'
import { RequestTable } from '../features/requests/RequestTable.tsx'
import { useExport } from '../features/requests/useExport.ts'
import { EmailGate, useEmailGate } from '../features/settings/EmailGate.tsx'
import { useFormat, useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { useApi } from '../lib/parts.tsx'
import { requests as words } from '../messages/en/requests.ts'
import { states } from '../messages/en/states.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'
import { EmptyState } from '../ui/State.tsx'
import { useHiding } from './useHiding.ts'
import './requests.css'

/** Who asked for which photo by e-mail, and what became of it; above that, what guests reported. */
export function PhotoRequestsPage() {
  const text = useText({ requests: words })
  usePageTitle(text.title)
  const list = useInfiniteQuery(requestsQuery(useApi()))
  const requests = useMemo(() => list.data?.pages.flatMap((page) => page.requests), [list.data])
  const gate = useEmailGate()
  const gateSwitch = useRef<HTMLInputElement>(null)
  const onDecided = useHiding()
  const askForAddress = (): void => {
    gate.change(true)
    gateSwitch.current?.focus()
  }
  const isEmpty = requests?.length === 0
  return (
    <div className="wrap">
      <Head list={list} hasRequests={requests !== undefined && !isEmpty} />
      <div className="card rq-gate">
        <EmailGate gate={gate} ref={gateSwitch} />
      </div>
      <Reports onDecided={onDecided} />
      {requests && list.isRefetchError && (
        <div className="rq-note">
          <Note tone="bad">{text.errors.load}</Note>
        </div>
      )}
      {requests && !isEmpty && <RequestTable requests={requests} />}
      {requests && !isEmpty && <More list={list} />}
      {isEmpty && (
        <div className="card">
          <EmptyState sentence={text.empty}>
            {!gate.value && <Button onClick={askForAddress}>{text.ask}</Button>}
          </EmptyState>
        </div>
      )}
      {!requests && (list.isError ? <Failed onRetry={() => void list.refetch()} /> : <RequestsSkeleton />)}
    </div>
  )
}

type List = ReturnType<typeof useRequests>
const useRequests = () => useInfiniteQuery(requestsQuery(useApi()))

function Head({ list, hasRequests }: { list: List; hasRequests: boolean }) {
  const text = useText({ requests: words })
  const format = useFormat()
  const { mutate: save, isPending: isSaving } = useExport()
  const counts = list.data?.pages.at(-1)?.counts
  const summary = counts && summaryOf(counts, text, format)
  const isRefreshing = list.isRefetching && !list.isFetchingNextPage
  return (
    <header className="head">
      <div>
        <PageHeading>{text.heading}</PageHeading>
        {summary && <p className="num">{summary}</p>}
      </div>
      <div className="row">
        {hasRequests && (
          <Button busy={isSaving} onClick={() => save()}>
            {!isSaving && <Download className="i" />}
            {text.export}
          </Button>
        )}
        <Button busy={isRefreshing} onClick={() => void list.refetch()}>
          {!isRefreshing && <RotateCw className="i" />}
          {text.refresh}
        </Button>
      </div>
    </header>
  )
}

function More({ list }: { list: List }) {
  const text = useText({ requests: words })
  if (!list.hasNextPage) return null
  return (
    <div className="rq-more">
      {list.isFetchNextPageError && <Note tone="bad">{text.errors.more}</Note>}
      <Button busy={list.isFetchingNextPage} onClick={() => !list.isFetching && void list.fetchNextPage()}>
        {text.more}
      </Button>
    </div>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const text = useText({ requests: words })
  const { tryAgain } = useText({ states })
  return (
    <div className="card state" role="alert">
      <TriangleAlert className="i rq-sign" />
      <p>{text.errors.load}</p>
      <Button onClick={onRetry}>{tryAgain}</Button>
    </div>
  )
}
