import type { Insights } from '@keepsnap/contract/insights.ts'
import { useId, useMemo, useState } from 'react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { insights } from '../../messages/en/insights.ts'
import { useCalendar } from './calendar.ts'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { LazyBarChart } from './LazyBarChart.tsx'
import { bestDay, measures, type InsightMeasure, type Period, periodsOf } from './measures.ts'

/** One measure per day, or per week of a long range, as a chart and a sentence, and all measures as a table. */
export function DailyCounts({ data }: { data: Insights }) {
  const text = useText({ insights })
  const [measure, setMeasure] = useState<InsightMeasure>('scans')
  const heading = useId()
  const calendar = useCalendar()
  const { unit, periods } = useMemo(() => periodsOf(data.days), [data.days])
  const bars = useMemo(
    () =>
      periods.map((period) => ({
        label: calendar.day(period.from),
        title: unit === 'day' ? calendar.date(period.from) : calendar.days(period.from, period.to),
        count: period[measure],
      })),
    [periods, unit, measure, calendar],
  )
  return (
    <section className="card card--pad insights-days" aria-labelledby={heading}>
      <div className="insights-days__head">
        <h2 id={heading}>{text.chart.headings[unit]}</h2>
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
        <LazyBarChart bars={bars} />
      </figure>
      <PeriodTable data={data} unit={unit} periods={periods} />
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

interface PeriodTableProps {
  data: Insights
  unit: 'day' | 'week'
  periods: readonly Period[]
}

function PeriodTable({ data: { from, to }, unit, periods }: PeriodTableProps) {
  const text = useText({ insights })
  const format = useFormat()
  const calendar = useCalendar()
  const [open, setOpen] = useState(false)
  return (
    <details className="insights-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="link">{text.chart.table}</summary>
      {open && (
        <table className="table tabular-numbers">
          <caption className="visually-hidden">{text.chart.captions[unit](calendar.days(from, to))}</caption>
          <thead>
            <tr>
              <th scope="col">{text.chart.units[unit]}</th>
              {measures.map((measure) => (
                <th key={measure} scope="col">
                  {text.measures[measure]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...periods].reverse().map((period) => (
              <tr key={period.from}>
                <th scope="row" translate="no">
                  {unit === 'day' ? calendar.day(period.from) : calendar.days(period.from, period.to)}
                </th>
                {measures.map((measure) => (
                  <td key={measure}>{format.count(period[measure])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  )
}
