import { lazy, Suspense } from 'react'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import type { BarChartProps } from './BarChart.tsx'

// The chart library is loaded only when a chart is shown.
const BarChart = lazy(async () => ({ default: (await import('./BarChart.tsx')).BarChart }))

/** The place of a chart, which stays empty if the chart cannot be loaded. */
export const LazyBarChart = (props: BarChartProps) => (
  <div className="insights-chart" aria-hidden="true">
    <ErrorBoundary renderFallback={() => null}>
      <Suspense>
        <BarChart key={props.highest} {...props} />
      </Suspense>
    </ErrorBoundary>
  </div>
)
