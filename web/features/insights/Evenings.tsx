import { lazy, Suspense, useId, useMemo, useState } from 'react'
import type { Evening, Insights } from '@keepsnap/contract/insights.ts'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { insights } from '../../messages/en/insights.ts'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/Field.tsx'
import type { BarChartProps } from './BarChart.tsx'
import {
  bestDay,
  busiestHour,
  conversionPercent,
  countInHour,
  hoursOf,
  type InsightMeasure,
  measures,
  periodsOf,
  useCalendar,
} from './measures.ts'

// The chart library is loaded only when a chart is shown.
const BarChart = lazy(async () => ({ default: (await import('./BarChart.tsx')).BarChart }))

/** One measure per day, or per week of a long range, as a chart and a sentence, and all measures as a table. */
export function DailyCounts({ data }: { data: Insights }) {
  const text = useText({ insights })
  const [measure, setMeasure] = useState<InsightMeasure>('scans')
  const heading = useId()
  const format = useFormat()
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
        <MeasureChoice legend={text.chart.measure} value={measure} onChange={setMeasure} />
      </div>
      <figure className="insights-figure" aria-labelledby={heading}>
        <figcaption className="small muted tabular-numbers">
          <CountsSummary data={data} measure={measure} />
        </figcaption>
        <LazyBarChart bars={bars} />
      </figure>
      <CollapsedTable
        summary={text.chart.table}
        caption={text.chart.captions[unit](calendar.days(data.from, data.to))}
        first={text.chart.units[unit]}
        columns={measures.map((name) => text.measures[name])}
        areWords
        rows={() =>
          [...periods]
            .reverse()
            .map((period) => [
              unit === 'day' ? calendar.day(period.from) : calendar.days(period.from, period.to),
              ...measures.map((name) => format.count(period[name])),
            ])
        }
      />
    </section>
  )
}

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

interface MeasureChoiceProps {
  legend: string
  value: InsightMeasure
  onChange: (measure: InsightMeasure) => void
}

function MeasureChoice(props: MeasureChoiceProps) {
  const text = useText({ insights })
  return <SegmentedControl {...props} options={measures.map((value) => ({ value, label: text.measures[value] }))} />
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

interface CollapsedTableProps {
  summary: string
  caption: string
  /** The heading of the first column, and of the others, which are dates unless `areWords`. */
  first: string
  columns: readonly string[]
  areWords?: boolean
  /** The first cell of each row is its heading. Called once the table is open. */
  rows: () => string[][]
}

/** The numbers of a chart. */
function CollapsedTable({ summary, caption, first, columns, areWords = false, rows }: CollapsedTableProps) {
  const [open, setOpen] = useState(false)
  return (
    <details className="insights-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="link">{summary}</summary>
      {open && (
        <table className="table tabular-numbers">
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{first}</th>
              {columns.map((name, at) => (
                <th key={at} scope="col" translate={areWords ? undefined : 'no'}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows().map(([name, ...counts]) => (
              <tr key={name}>
                <th scope="row" translate="no">
                  {name}
                </th>
                {counts.map((count, at) => (
                  <td key={at}>{count}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  )
}

const shownAtFirst = 10

/** The evenings of the time span, newest first. */
export function EveningTable({ evenings }: { evenings: readonly Evening[] }) {
  const text = useText({ insights })
  const format = useFormat()
  const calendar = useCalendar()
  const heading = useId()
  const [showsAll, setShowsAll] = useState(false)
  const scans = evenings.reduce((sum, evening) => sum + evening.scans, 0)
  const columns: { name: string; value: (evening: Evening) => string }[] = [
    { name: text.evenings.photos, value: ({ photos }) => format.count(photos) },
    ...(['scans', 'downloads', 'requests'] as const).map((measure) => ({
      name: text.measures[measure],
      value: (evening: Evening) => format.count(evening[measure]),
    })),
    {
      name: text.tiles.conversion,
      value: (evening) => {
        const percent = conversionPercent(evening)
        return percent === null ? '–' : format.percent(percent / 100)
      },
    },
    {
      name: text.evenings.share,
      value: (evening) => (scans === 0 ? '–' : format.percent(Math.round((100 * evening.scans) / scans) / 100)),
    },
  ]
  return (
    <section className="insights-evenings insights-cards" aria-labelledby={heading}>
      <h2 id={heading}>{text.evenings.heading}</h2>
      <p className="small muted">{text.evenings.lead}</p>
      <div className="card insights-evenings__box">
        <table className="table tabular-numbers" aria-labelledby={heading}>
          <thead>
            <tr>
              <th scope="col">{text.evenings.evening}</th>
              {columns.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(showsAll ? evenings : evenings.slice(0, shownAtFirst)).map((evening) => (
              <tr key={evening.day}>
                <th scope="row" translate="no">
                  {calendar.evening(evening.day)}
                </th>
                {columns.map(({ name, value }) => (
                  <td key={name}>
                    <span className="insights-cards__name" aria-hidden="true">
                      {name}
                    </span>
                    <span>{value(evening)}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {evenings.length > shownAtFirst && (
        <Button tone="quiet" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? text.evenings.fewer : text.evenings.all(format.count(evenings.length))}
        </Button>
      )}
    </section>
  )
}

interface ComparisonProps {
  evenings: readonly Evening[]
  /** Days of the two evenings; without ones that are among the evenings, the newest with photos are compared. */
  days: readonly string[]
  onChange: (days: readonly [string, string]) => void
}

/** Two evenings side by side: their hours at the same scale, their numbers, and the difference. */
export function EveningComparison({ evenings, days, onChange }: ComparisonProps) {
  const text = useText({ insights })
  const heading = useId()
  const select = useId()
  const format = useFormat()
  const calendar = useCalendar()
  const [measure, setMeasure] = useState<InsightMeasure>('scans')
  const find = (day: string | undefined) => evenings.find((evening) => evening.day === day)
  // On days without photos, guests only come back to older ones.
  const usual = [...evenings].sort((a, b) => Number(b.photos > 0) - Number(a.photos > 0))
  const second = find(days[1])
  const first = find(days[0]) ?? usual.find((evening) => evening !== second)
  const other = second && second !== first ? second : usual.find((evening) => evening !== first)
  if (!first || !other) return null
  const pair = [first, other] as const
  const hours = hoursOf(pair)
  const highest = Math.max(...hours.flatMap((hour) => pair.map((evening) => countInHour(evening, measure, hour))))
  return (
    <section className="card card--pad insights-days" aria-labelledby={heading}>
      <div className="insights-days__head">
        <h2 id={heading}>{text.comparison.heading}</h2>
        <MeasureChoice legend={text.comparison.measure} value={measure} onChange={setMeasure} />
      </div>
      <div className="insights-pair">
        {pair.map((evening, at) => (
          <div key={at} className="insights-pair__evening">
            <label className="label" htmlFor={`${select}-${at}`}>
              {at === 0 ? text.comparison.first : text.comparison.second}
            </label>
            <Select
              id={`${select}-${at}`}
              value={evening.day}
              onChange={({ target: { value } }) => onChange(at === 0 ? [value, other.day] : [first.day, value])}
            >
              {evenings.map(({ day }) => (
                <option key={day} value={day} disabled={day === pair[1 - at]?.day} translate="no">
                  {calendar.evening(day)}
                </option>
              ))}
            </Select>
            {hours.length > 0 && <HourChart {...{ evening, hours, measure, highest }} />}
          </div>
        ))}
      </div>
      <NumberTable pair={pair} />
      {hours.length > 0 && (
        <CollapsedTable
          summary={text.comparison.table}
          caption={text.comparison.caption(text.measures[measure])}
          first={text.comparison.hour}
          columns={pair.map(({ day }) => calendar.day(day))}
          rows={() =>
            hours.map((hour) => [
              calendar.hour(hour),
              ...pair.map((evening) => format.count(countInHour(evening, measure, hour))),
            ])
          }
        />
      )}
    </section>
  )
}

interface HourChartProps {
  evening: Evening
  hours: readonly number[]
  measure: InsightMeasure
  highest: number
}

function HourChart({ evening, hours, measure, highest }: HourChartProps) {
  const calendar = useCalendar()
  // Of the same hours, a new list must not draw the chart again.
  const key = hours.join(' ')
  const bars = useMemo(
    () =>
      key.split(' ').map((hour) => ({
        label: calendar.time(Number(hour)),
        title: calendar.hour(Number(hour)),
        count: countInHour(evening, measure, Number(hour)),
      })),
    [evening, key, measure, calendar],
  )
  return <LazyBarChart bars={bars} highest={highest} />
}

type Pair = readonly [Evening, Evening]

function NumberTable({ pair }: { pair: Pair }) {
  const text = useText({ insights })
  const format = useFormat()
  const calendar = useCalendar()
  const [signed, signedPercent] = useMemo(() => {
    const options = { signDisplay: 'exceptZero' } as const
    const percent = { ...options, style: 'percent', maximumFractionDigits: 0 } as const
    return [new Intl.NumberFormat(format.locale, options), new Intl.NumberFormat(format.locale, percent)]
  }, [format])
  const difference = (value: number, from: number): string =>
    [
      signed.format(value - from),
      from > 0 && Math.round((100 * value) / from) !== 100 && `(${signedPercent.format(value / from - 1)})`,
    ]
      .filter(Boolean)
      .join(' ')
  const percents = pair.map(conversionPercent)
  const [percent, percentBefore] = percents
  const busiest = pair.map(busiestHour)
  const rows: { name: string; values: string[]; difference: string }[] = [
    ...(['photos', ...measures] as const).map((name) => ({
      name: name === 'photos' ? text.evenings.photos : text.measures[name],
      values: pair.map((evening) => format.count(evening[name])),
      difference: difference(pair[0][name], pair[1][name]),
    })),
    {
      name: text.tiles.conversion,
      values: percents.map((value) => (value === null ? '–' : format.percent(value / 100))),
      difference:
        typeof percent === 'number' && typeof percentBefore === 'number'
          ? text.comparison.points(signed.format(percent - percentBefore))
          : '–',
    },
    {
      name: text.tiles.peak,
      values: busiest.map((hour) => (hour === null ? '–' : calendar.hour(hour))),
      difference: '–',
    },
  ]
  return (
    <table className="table tabular-numbers insights-numbers">
      <caption className="visually-hidden">{text.comparison.heading}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{text.comparison.count}</span>
          </th>
          {pair.map(({ day }) => (
            <th key={day} scope="col" translate="no">
              {calendar.day(day)}
            </th>
          ))}
          <th scope="col">{text.comparison.difference}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            {row.values.map((value, at) => (
              <td key={at} translate="no">
                {value}
              </td>
            ))}
            <td>{row.difference}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
