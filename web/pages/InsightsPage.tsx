import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { BestPhotos } from '../features/insights/BestPhotos.tsx'
import { DailyCounts } from '../features/insights/DailyCounts.tsx'
import { InsightsSkeleton } from '../features/insights/InsightsSkeleton.tsx'
import { isEmpty } from '../features/insights/measures.ts'
import { insightsQuery } from '../features/insights/queries.ts'
import { rangeLengths, type RangeDays } from '../features/insights/date-range.ts'
import { StatTiles } from '../features/insights/StatTiles.tsx'
import { InsightsUpgrade } from '../features/insights/InsightsUpgrade.tsx'
import { ApiError } from '../lib/api-errors.ts'
import { useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { usePlanStatus } from '../lib/plan-status.ts'
import { useApi } from '../lib/app-services.tsx'
import { paths } from '../lib/paths.ts'
import { hasFailed, useLastError } from '../lib/query-failure.ts'
import { insights as messages } from '../messages/en/insights.ts'
import { subscription as subscriptionMessages } from '../messages/en/subscription.ts'
import { buttonClass } from '../ui/Button.tsx'
import { LoadFailed } from '../ui/LoadFailed.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { EmptyState } from '../ui/State.tsx'
import '../features/insights/insights.css'

/** Counts of what guests did with the photos. */
export function InsightsPage() {
  const text = useText({ insights: messages })
  const { status: statusFailed } = useText({ subscription: subscriptionMessages }).errors
  usePageTitle(text.title)
  const [days, setDays] = useState<RangeDays>(30)
  const planStatus = usePlanStatus()
  const plan = planStatus.data?.plan
  const insightsResult = useQuery({ ...insightsQuery(useApi(), days), enabled: plan?.features.analytics === true })
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
          <SegmentedControl
            legend={text.range}
            value={String(days)}
            options={rangeLengths.map((length) => ({ value: String(length), label: text.ranges[length] }))}
            onChange={(value) => setDays(rangeLengths.find((length) => String(length) === value) ?? days)}
          />
        )}
      </header>
      {hasAccess ? (
        <InsightsContent query={insightsResult} />
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

type InsightsQuery = ReturnType<typeof useInsights>
const useInsights = () => useQuery(insightsQuery(useApi(), 30))

function InsightsContent({ query }: { query: InsightsQuery }) {
  const text = useText({ insights: messages })
  const { data, isFetching, isPlaceholderData, refetch } = query
  if (hasFailed(query) && !data)
    return <LoadFailed sentence={text.errors.load} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <InsightsSkeleton />
  if (isEmpty(data)) {
    return (
      <div className="card">
        <EmptyState sentence={text.empty}>
          <Link className={buttonClass({})} to={paths.latest}>
            {text.emptyAction}
          </Link>
        </EmptyState>
      </div>
    )
  }
  return (
    <div className="insights" aria-busy={isPlaceholderData}>
      <StatTiles data={data} />
      <DailyCounts data={data} />
      <BestPhotos photos={data.best_photos} />
    </div>
  )
}
