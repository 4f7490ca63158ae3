import type { Insights } from '@keepsnap/contract/insights.ts'
import { lazy, Suspense, useId, useState } from 'react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { insights } from '../../messages/en/insights.ts'
import { useCalendar } from './calendar.ts'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { bestDay, measures, type InsightMeasure } from './measures.ts'

// The chart library is loaded only when the chart is shown.
const DailyChart = lazy(async () => ({ default: (await import('./DailyChart.tsx')).DailyChart }))

/** One measure per day as a chart and a sentence, and all measures as a table. */
export function DailyCounts({ data }: { data: Insights }) {
  const text = useText({ insights })
  const [measure, setMeasure] = useState<InsightMeasure>('scans')
  const heading = useId()
  return (
    <section className="card card--pad insights-days" aria-labelledby={heading}>
      <div className="insights-days__head">
        <h2 id={heading}>{text.chart.heading}</h2>
        <SegmentedControl
          legend={text.chart.measure}
          value={measure}
          options={measures.map((value) => ({ value, label: text.measures[value] }))}
          onChange={setMeasure}
        />
      </div>
      <figure className="insights-figure" aria-labelledby={heading}>
        <figcaption className="small muted tabular-numbers">
          <CountsSummary data={data} measure={measure} />
        </figcaption>
        <div className="insights-chart" aria-hidden="true">
          <ErrorBoundary renderFallback={() => null}>
            <Suspense>
              <DailyChart days={data.days} measure={measure} />
            </Suspense>
          </ErrorBoundary>
        </div>
      </figure>
      <DayTable data={data} />
    </section>
  )
}

function CountsSummary({ data: { from, to, totals, days }, measure }: { data: Insights; measure: InsightMeasure }) {
  const text = useText({ insights })
  const format = useFormat()
  const calendar = useCalendar()
  const busiestDay = bestDay(days, measure)
  const totalCount = format.count(totals[measure])
  return (
    <span>
      {[
        text.chart.summary(text.measures[measure], totalCount, calendar.days(from, to)),
        busiestDay && text.chart.most(calendar.date(busiestDay.day), format.count(busiestDay[measure])),
      ]
        .filter(Boolean)
        .join(' ')}
    </span>
  )
}

function DayTable({ data: { from, to, days } }: { data: Insights }) {
  const text = useText({ insights })
  const format = useFormat()
  const calendar = useCalendar()
  const [open, setOpen] = useState(false)
  return (
    <details className="insights-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="link">{text.chart.table}</summary>
      {open && (
        <table className="table tabular-numbers">
          <caption className="visually-hidden">{text.chart.caption(calendar.days(from, to))}</caption>
          <thead>
            <tr>
              <th scope="col">{text.chart.day}</th>
              {measures.map((measure) => (
                <th key={measure} scope="col">
                  {text.measures[measure]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map((day) => (
              <tr key={day.day}>
                <th scope="row" translate="no">
                  {calendar.day(day.day)}
                </th>
                {measures.map((measure) => (
                  <td key={measure}>{format.count(day[measure])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  )
}
