import type { OperatorOverview } from '@keepsnap/contract/operator.ts'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../lib/app-services.tsx'
import type { Format } from '../../lib/format.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { hasFailed } from '../../lib/query-failure.ts'
import type { Catalogue } from '../../messages/en.ts'
import { operator } from '../../messages/en/operator.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { SectionLoadFailed } from './SectionLoadFailed.tsx'
import { overviewQuery } from './queries.ts'
import { storeSizeOf } from './times.ts'

/** Numbers at a glance. */
export function Overview() {
  const text = useText({ operator })
  const format = useFormat()
  const query = useQuery(overviewQuery(useApi()))
  const { data, isFetching, refetch } = query
  if (data) {
    return (
      <dl className="operator-numbers tabular-numbers" aria-label={text.numbers.label}>
        {tilesOf(data, text.numbers, format).map(({ name, value, more }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="operator-numbers__value">{value}</dd>
            <dd className="tiny muted">{more}</dd>
          </div>
        ))}
      </dl>
    )
  }
  if (hasFailed(query))
    return <SectionLoadFailed sentence={text.errors.overview} busy={isFetching} onRetry={() => void refetch()} />
  return (
    <div className="operator-numbers" aria-hidden="true">
      {Array.from({ length: 7 }, (_, index) => (
        <div key={index}>
          <Skeleton width="45%" height="0.8rem" />
          <Skeleton width="75%" height="2rem" />
          <Skeleton width="60%" height="0.7rem" />
        </div>
      ))}
    </div>
  )
}

interface Tile {
  name: string
  value: string
  more: string
}

function tilesOf(overview: OperatorOverview, text: Catalogue['operator']['numbers'], format: Format): Tile[] {
  const { users, subscribers, photos, storage_used_bytes: bytes, photos_per_day: days, support } = overview
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
  ]
}
