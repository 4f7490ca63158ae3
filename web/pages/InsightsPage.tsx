import { useQuery } from '@tanstack/react-query'
import { ChartColumn, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { BestPhotos } from '../features/insights/BestPhotos.tsx'
import { Days } from '../features/insights/Days.tsx'
import { InsightsSkeleton } from '../features/insights/InsightsSkeleton.tsx'
import { isEmpty } from '../features/insights/numbers.ts'
import { hasInsights, insightsQuery } from '../features/insights/queries.ts'
import { spans, type Span } from '../features/insights/span.ts'
import { Tiles } from '../features/insights/Tiles.tsx'
import { UpgradePrompt } from '../features/plans/UpgradePrompt.tsx'
import { ApiError } from '../lib/answers.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { useApi } from '../lib/parts.tsx'
import { paths } from '../lib/paths.ts'
import { insights as words } from '../messages/en/insights.ts'
import { states } from '../messages/en/states.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { PageHeading } from '../ui/PageHeading.tsx'
import { Segmented } from '../ui/Segmented.tsx'
import { EmptyState } from '../ui/State.tsx'
import './insights.css'

/** What guests did with the photos, in numbers. */
export function InsightsPage() {
  const text = useText({ insights: words })
  usePageTitle(text.title)
  const { user } = useCurrentUser()
  const [span, setSpan] = useState<Span>(30)
  const included = user !== null && hasInsights(user.subscription_tier)
  const query = useQuery({ ...insightsQuery(useApi(), span), enabled: included })
  // A plan that has just ended: the server knows first.
  const refused = query.error instanceof ApiError && query.error.status === 403
  const sees = included && !refused
  return (
    <div className="wrap">
      <header className="head">
        <div>
          <PageHeading>{text.heading}</PageHeading>
          <p className="small">{text.lead}</p>
        </div>
        {sees && (
          <Segmented
            legend={text.range}
            value={String(span)}
            choices={spans.map((days) => ({ value: String(days), label: text.ranges[days] }))}
            onChange={(value) => setSpan(spans.find((days) => String(days) === value) ?? span)}
          />
        )}
      </header>
      {sees ? <Body query={query} /> : <Upgrade />}
    </div>
  )
}

type Answer = ReturnType<typeof useInsights>
const useInsights = () => useQuery(insightsQuery(useApi(), 30))

function Body({ query: { data, isError, isFetching, isPlaceholderData, refetch } }: { query: Answer }) {
  const text = useText({ insights: words })
  const { tryAgain } = useText({ states })
  if (isError) {
    return (
      <div className="card state" role="alert">
        <TriangleAlert className="i in-sign" />
        <p>{text.errors.load}</p>
        <Button busy={isFetching} onClick={() => void refetch()}>
          {tryAgain}
        </Button>
      </div>
    )
  }
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
      <Tiles data={data} />
      <Days data={data} />
      <BestPhotos photos={data.best_photos} />
    </div>
  )
}

function Upgrade() {
  const text = useText({ insights: words }).upgrade
  return (
    <UpgradePrompt heading={text.heading} lead={text.lead} action={text.action}>
      <ChartColumn className="i in-sign" />
    </UpgradePrompt>
  )
}
