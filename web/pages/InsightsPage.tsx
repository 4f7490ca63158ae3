import type { Insights } from '@keepsnap/contract/insights.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Link, useSearchParams } from 'react-router'
import { BestPhotos } from '../features/insights/BestPhotos.tsx'
import { DailyCounts } from '../features/insights/DailyCounts.tsx'
import { dayIn, insightsTimeZone, rangeOf, searchOf } from '../features/insights/date-range.ts'
import { EveningComparison, EveningTable } from '../features/insights/Evenings.tsx'
import { InsightsSkeleton } from '../features/insights/InsightsSkeleton.tsx'
import { isEmpty } from '../features/insights/measures.ts'
import { insightsQuery } from '../features/insights/queries.ts'
import { RangeControls } from '../features/insights/RangeControls.tsx'
import { StatTiles } from '../features/insights/StatTiles.tsx'
import { InsightsUpgrade } from '../features/insights/InsightsUpgrade.tsx'
import { ApiError } from '../lib/api-errors.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { usePlanStatus } from '../lib/plan-status.ts'
import { useApi } from '../lib/app-services.tsx'
import { paths } from '../lib/paths.ts'
import { keepScroll } from '../lib/scroll-restoration.ts'
import { hasFailed, useLastError } from '../lib/query-failure.ts'
import { insights as messages } from '../messages/en/insights.ts'
import { subscription as subscriptionMessages } from '../messages/en/subscription.ts'
import { buttonClass } from '../ui/Button.tsx'
import { LoadFailed } from '../ui/LoadFailed.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'
import { EmptyState } from '../ui/State.tsx'
import '../features/insights/insights.css'

/** The query parameter with the days of the two evenings that are compared. */
const eveningsParameter = 'evenings'

/** A page that stays open is looked at again on another day. */
function onVisibilityChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Counts of what guests did with the photos. */
export function InsightsPage() {
  const text = useText({ insights: messages })
  const { status: statusFailed } = useText({ subscription: subscriptionMessages }).errors
  usePageTitle(text.title)
  const [search, setSearch] = useSearchParams()
  const timeZone = insightsTimeZone(useCurrentUser().user?.time_zone)
  const today = useSyncExternalStore(onVisibilityChange, () => dayIn(timeZone, new Date()))
  const range = rangeOf(search, today)
  const planStatus = usePlanStatus()
  const plan = planStatus.data?.plan
  const insightsResult = useQuery({
    ...insightsQuery(useApi(), { from: range.from, to: range.to, ...(timeZone !== undefined && { tz: timeZone }) }),
    enabled: plan?.features.analytics === true,
  })
  // When a plan ends, the server refuses before the browser knows.
  const error = useLastError(insightsResult)
  const isRefused = error instanceof ApiError && error.status === 403
  const hasAccess = plan?.features.analytics === true && !isRefused
  return (
    <div className="wrap">
      <header className="page-head">
        <div>
          <PageHeading>{text.heading}</PageHeading>
          <p className="small">{text.lead}</p>
        </div>
        {hasAccess && (
          <RangeControls
            range={range}
            today={today}
            onChange={(choice, dates) => setSearch(searchOf(search, choice, dates), { state: keepScroll })}
          />
        )}
      </header>
      {hasAccess ? (
        <InsightsContent query={insightsResult} isOfDates={range.choice === 'dates'} />
      ) : plan ? (
        <InsightsUpgrade planName={isRefused ? null : plan.name} />
      ) : hasFailed(planStatus) ? (
        <LoadFailed sentence={statusFailed} busy={planStatus.isFetching} onRetry={() => void planStatus.refetch()} />
      ) : (
        <InsightsSkeleton />
      )}
    </div>
  )
}

function InsightsContent({ query, isOfDates }: { query: UseQueryResult<Insights>; isOfDates: boolean }) {
  const text = useText({ insights: messages })
  const [search, setSearch] = useSearchParams()
  const { data, isFetching, isPlaceholderData, refetch } = query
  if (hasFailed(query) && !data)
    return <LoadFailed sentence={text.errors.load} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <InsightsSkeleton />
  if (isEmpty(data)) {
    return (
      <div className="card">
        <EmptyState sentence={isOfDates ? text.dates.empty : text.empty}>
          {!isOfDates && (
            <Link className={buttonClass({})} to={paths.latest}>
              {text.emptyAction}
            </Link>
          )}
        </EmptyState>
      </div>
    )
  }
  return (
    <div className="insights" aria-busy={isPlaceholderData}>
      <StatTiles data={data} />
      <DailyCounts data={data} />
      {data.evenings.length > 0 && <EveningTable evenings={data.evenings} />}
      {data.evenings.length > 1 && (
        <EveningComparison
          evenings={data.evenings}
          days={search.get(eveningsParameter)?.split(',') ?? []}
          onChange={(days) => {
            const next = new URLSearchParams(search)
            next.set(eveningsParameter, days.join(','))
            // A new entry for each choice would bury the page before.
            setSearch(next, { replace: true, state: keepScroll })
          }}
        />
      )}
      <BestPhotos photos={data.best_photos} />
    </div>
  )
}
