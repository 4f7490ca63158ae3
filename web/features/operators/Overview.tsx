import { queryOptions, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { type OperatorOverview, operatorOverview, type QueueState } from '@keepsnap/contract/operators.ts'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import type { Format } from '../../lib/format.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { hasFailed, Skeleton } from '../../ui/QueryView.tsx'
import type { Catalogue } from '../../messages/en.ts'
import { operator } from '../../messages/en/operators.ts'
import { healthQuery } from './HealthSection.tsx'
import { Nothing, operatorKey, refetchInterval, RowsSkeleton, SectionView } from './section-parts.tsx'
import { durationOf, noonOf, storeSizeOf } from './times.ts'

export const overviewQuery = (api: Api) =>
  queryOptions({
    queryKey: [...operatorKey, 'overview'],
    queryFn: ({ signal }) => api.call(operatorOverview, {}, { signal }),
    refetchInterval,
  })

/** Numbers at a glance. */
export function Overview() {
  const text = useText({ operator })
  const format = useFormat()
  const query = useQuery(overviewQuery(useApi()))
  return (
    <SectionView
      query={query}
      failed={text.errors.overview}
      loading={
        <RowsSkeleton rows={7} className="operator-numbers">
          {() => (
            <>
              <Skeleton width="45%" height="0.8rem" />
              <Skeleton width="75%" height="2rem" />
              <Skeleton width="60%" height="0.7rem" />
            </>
          )}
        </RowsSkeleton>
      }
    >
      {(data) => (
        <dl className="operator-numbers tabular-numbers" aria-label={text.numbers.label}>
          {tilesOf(data, text.numbers, format).map(({ name, value, more }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="operator-numbers__value">{value}</dd>
              <dd className="tiny muted">{more}</dd>
            </div>
          ))}
        </dl>
      )}
    </SectionView>
  )
}

function tilesOf(overview: OperatorOverview, text: Catalogue['operator']['numbers'], format: Format) {
  const { users, subscribers, photos, storage_used_bytes: bytes, photos_per_day: days } = overview
  const { support, withdrawals } = overview
  const { count } = format
  const byPlan = text.byPlan(count(subscribers.monthly), count(subscribers.yearly))
  const complimentaryText = subscribers.complimentary > 0 ? text.complimentary(count(subscribers.complimentary)) : null
  return [
    { name: text.users, value: count(users.total), more: text.newUsers(count(users.new_7d)) },
    { name: text.active, value: count(users.active), more: text.deactivated(count(users.deactivated)) },
    {
      name: text.subscribers,
      value: count(subscribers.monthly + subscribers.yearly),
      more: complimentaryText === null ? byPlan : text.list(byPlan, complimentaryText),
    },
    { name: text.photos, value: count(photos.total), more: text.lately(count(photos.new_30d)) },
    { name: text.today, value: count(photos.today), more: text.yesterday(count(days.at(-2)?.photos ?? 0)) },
    {
      name: text.storage,
      value: storeSizeOf(bytes, text, format),
      more: photos.total === 0 ? text.noPhotos : text.perPhoto(format.size(bytes / photos.total)),
    },
    { name: text.support, value: count(support.open), more: text.priority(count(support.priority)) },
    ...(withdrawals.open > 0
      ? [{ name: text.withdrawals, value: count(withdrawals.open), more: text.overdue(count(withdrawals.overdue)) }]
      : []),
  ]
}

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

const isIdle = ({ waiting, running, failed }: QueueState): boolean => waiting + running + failed === 0

/** The jobs by kind; kinds without any are collapsed. Nothing after a failure, which the health section reports. */
export function Queues() {
  const text = useText({ operator }).queues
  const heading = useId()
  const query = useQuery(healthQuery(useApi()))
  const { data } = query
  if (!data && hasFailed(query)) return null
  return (
    <section className="operator-queues" aria-labelledby={heading}>
      <h2 id={heading}>{text.heading}</h2>
      {data ? <QueueList queues={data.queues} /> : <Skeleton height="4.5rem" />}
    </section>
  )
}

function QueueList({ queues }: { queues: readonly QueueState[] }) {
  const text = useText({ operator }).queues
  const idleQueues = queues.filter(isIdle)
  const busyQueues = queues.filter((queue) => !isIdle(queue))
  return (
    <>
      {busyQueues.length > 0 ? <QueueTable queues={busyQueues} /> : <Nothing>{text.none}</Nothing>}
      {idleQueues.length > 0 && (
        <details>
          <summary className="link">{text.idle(idleQueues.length)}</summary>
          <ul className="operator-queues__idle small muted" translate="no">
            {idleQueues.map(({ name }) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function QueueTable({ queues }: { queues: readonly QueueState[] }) {
  const { queues: text, health } = useText({ operator })
  const format = useFormat()
  const { columns } = text
  return (
    <div className="operator-queues__box">
      <table className="table tabular-numbers" aria-label={text.heading}>
        <thead>
          <tr>
            <th scope="col">{columns.queue}</th>
            <th scope="col">{columns.waiting}</th>
            <th scope="col">{columns.running}</th>
            <th scope="col">{columns.failed}</th>
            <th scope="col">{columns.oldest}</th>
          </tr>
        </thead>
        <tbody>
          {queues.map(({ name, waiting, running, failed, oldest_waiting_seconds: oldest }) => (
            <tr key={name}>
              <th scope="row" translate="no">
                <code>{name}</code>
              </th>
              <td>{format.count(waiting)}</td>
              <td>{format.count(running)}</td>
              <td className={failed > 0 ? 'error-text' : undefined}>{format.count(failed)}</td>
              <td>{oldest === null ? text.nothing : durationOf(oldest, health, format)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
