import type { Insights } from '@keepsnap/contract/insights.ts'
import { lazy, Suspense, useId, useState } from 'react'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { insights } from '../../messages/en/insights.ts'
import { useCalendar } from './calendar.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { bestDay, measures, type Measure } from './numbers.ts'

// The drawing is loaded only here.
const Chart = lazy(async () => ({ default: (await import('./Chart.tsx')).Chart }))

/** One measure over the days: drawn, said in a sentence, and all of them as a table. */
export function Days({ data }: { data: Insights }) {
  const text = useText({ insights })
  const [measure, setMeasure] = useState<Measure>('scans')
  const heading = useId()
  return (
    <section className="card card--pad in-days" aria-labelledby={heading}>
      <div className="in-days__head">
        <h2 id={heading}>{text.chart.heading}</h2>
        <Segmented
          legend={text.chart.measure}
          value={measure}
          choices={measures.map((value) => ({ value, label: text.measures[value] }))}
          onChange={setMeasure}
        />
      </div>
      <figure className="in-figure" aria-labelledby={heading}>
        <figcaption className="small muted num">
          <Summary data={data} measure={measure} />
        </figcaption>
        <div className="in-chart" aria-hidden="true">
          <Boundary fallback={null}>
            <Suspense>
              <Chart days={data.days} measure={measure} />
            </Suspense>
          </Boundary>
        </div>
      </figure>
      <DayTable data={data} />
    </section>
  )
}

function Summary({ data: { from, to, totals, days }, measure }: { data: Insights; measure: Measure }) {
  const text = useText({ insights })
  const format = useFormat()
  const calendar = useCalendar()
  const best = bestDay(days, measure)
  const total = format.count(totals[measure])
  return (
    <>
      {text.chart.summary(text.measures[measure], total, calendar.days(from, to))}{' '}
      {best && text.chart.most(calendar.date(best.day), format.count(best[measure]))}
    </>
  )
}

function DayTable({ data: { from, to, days } }: { data: Insights }) {
  const text = useText({ insights })
  const format = useFormat()
  const calendar = useCalendar()
  const [open, setOpen] = useState(false)
  return (
    <details className="in-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="link">{text.chart.table}</summary>
      {open && (
        <table className="table num">
          <caption className="sr">{text.chart.caption(calendar.days(from, to))}</caption>
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
            {days.toReversed().map((day) => (
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
