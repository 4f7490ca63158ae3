import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { hasFailed } from '../../lib/query-failure.ts'
import { operator } from '../../messages/en/operator.ts'
import { overviewQuery } from './queries.ts'
import { noonOf } from './times.ts'

/** A bar for each of the last 30 days; nothing after a failure, which the overview above reports. */
export function PhotosPerDay() {
  const text = useText({ operator }).perDay
  const heading = useId()
  const query = useQuery(overviewQuery(useApi()))
  const { data } = query
  if (!data && hasFailed(query)) return null
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{text.heading}</h2>
      {data ? <Chart days={data.photos_per_day} /> : <div className="skeleton operator-chart__skeleton" />}
    </section>
  )
}

function Chart({ days }: { days: readonly { day: string; photos: number }[] }) {
  const text = useText({ operator }).perDay
  const format = useFormat()
  const dateOf = (day: string): string => format.day(noonOf(day))
  const [first] = days
  const last = days.at(-1)
  if (!first || !last) return <p className="operator-empty">{text.nothing}</p>
  const most = days.reduce((highest, day) => (day.photos > highest.photos ? day : highest), first)
  const range = [dateOf(first.day), dateOf(last.day)] as const
  const mostText = most.photos === 0 ? text.nothing : text.most(format.count(most.photos), dateOf(most.day))
  return (
    <figure className="card operator-chart">
      <p className="visually-hidden">{most.photos === 0 ? text.none(...range) : text.summary(...range, mostText)}</p>
      <div className="operator-chart__bars" aria-hidden="true">
        {days.map(({ day, photos }) => (
          <span key={day} title={text.day(dateOf(day), format.count(photos))}>
            <i style={{ height: `${most.photos === 0 ? 0 : (photos / most.photos) * 100}%` }} />
          </span>
        ))}
      </div>
      <figcaption className="tiny muted tabular-numbers">
        <span translate="no">{range[0]}</span>
        <span>{mostText}</span>
        <span>{text.today(format.count(last.photos))}</span>
      </figcaption>
      <p className="tiny muted">{text.utc}</p>
    </figure>
  )
}
