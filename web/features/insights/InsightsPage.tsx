import { type FormEvent, useId, useRef, useState, useSyncExternalStore } from 'react'
import { Link, useSearchParams } from 'react-router'
import { ChartColumn } from 'lucide-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Insights, insights as insightsEndpoint } from '@keepsnap/contract/insights.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useApi, useCurrentUser } from '../../lib/app-services.tsx'
import { galleryPhoto, paths, pricingSection } from '../../lib/paths.ts'
import { insights } from '../../messages/en/insights.ts'
import { states } from '../../messages/en/frame.ts'
import { subscription as subscriptionMessages, usage } from '../../messages/en/plans.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import type { Api } from '../../lib/api.ts'
import { ApiError, isTransient } from '../../lib/api-errors.ts'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { eventQuery, useChosenEvent, useEvent } from '../events/events.ts'
import { usePlanStatus } from '../plans/plan-status.ts'
import { keepScroll } from '../../lib/viewport.ts'
import { EmptyState, QueryView, useLastError } from '../../ui/QueryView.tsx'
import { Thumbnail } from '../../ui/Thumbnail.tsx'
import {
  type DateRange,
  dayIn,
  earliestDay,
  insightsTimeZone,
  isEmpty,
  measures,
  type RangeChoice,
  rangeChoices,
  rangeOf,
  rangeProblem,
  type RangeProblem,
  searchOf,
  useCalendar,
} from './measures.ts'
import { DailyCounts, EveningComparison, EveningTable } from './Evenings.tsx'
import { EventInsights, NothingCounted } from './EventInsights.tsx'
import { StatTile } from './StatTile.tsx'
import './insights.css'

/** Counts of what guests did with the photos. */
export function InsightsPage() {
  const text = useText({ insights })
  const { status: statusFailed } = useText({ subscription: subscriptionMessages }).errors
  usePageTitle(text.title)
  const [search, setSearch] = useSearchParams()
  const timeZone = insightsTimeZone(useCurrentUser().user?.time_zone)
  const today = useSyncExternalStore(onVisibilityChange, () => dayIn(timeZone, new Date()))
  const range = rangeOf(search, today)
  const planStatus = usePlanStatus()
  const plan = planStatus.data?.plan
  const event = useChosenEvent()
  const asked = {
    from: range.from,
    to: range.to,
    ...(timeZone !== undefined && { tz: timeZone }),
    ...eventQuery(event),
  }
  const insightsResult = useQuery({
    ...insightsQuery(useApi(), asked),
    enabled: plan?.features.analytics === true && event !== undefined,
  })
  // When a plan ends, the server refuses before the browser knows.
  const error = useLastError(insightsResult)
  const isRefused = error instanceof ApiError && error.status === 403
  const hasAccess = plan?.features.analytics === true && !isRefused
  return (
    <div className="wrap">
      <header className="page-head">
        <div>
          <PageHeading>{text.title}</PageHeading>
          <p className="small">{text.lead}</p>
        </div>
        {hasAccess && (
          <RangeControls
            range={range}
            today={today}
            onChange={(choice, dates) => setSearch(searchOf(search, choice, dates), { state: keepScroll })}
          />
        )}
      </header>
      <QueryView query={planStatus} loading={<InsightsSkeleton />} failed={statusFailed}>
        {({ plan: { name } }) =>
          hasAccess ? (
            <QueryView query={insightsResult} loading={<InsightsSkeleton />} failed={text.errors.load}>
              {(data) => (
                <InsightsContent
                  data={data}
                  asked={asked}
                  today={today}
                  isOfDates={range.choice === 'dates'}
                  isOutdated={insightsResult.isPlaceholderData}
                />
              )}
            </QueryView>
          ) : (
            <InsightsUpgrade planName={isRefused ? null : name} />
          )
        }
      </QueryView>
    </div>
  )
}

function InsightsContent({ data, asked, today, isOfDates, isOutdated }: ContentProps) {
  const text = useText({ insights })
  const [search, setSearch] = useSearchParams()
  const event = useEvent(asked.event)
  if (data.event_hours) {
    if (data.event_hours.length === 0) return <NothingCounted event={event} range={asked} today={today} />
    return (
      <div className="insights" aria-busy={isOutdated}>
        <EventInsights hours={data.event_hours} range={asked} />
        <BestPhotos photos={data.best_photos} />
      </div>
    )
  }
  if (isEmpty(data)) {
    return (
      <div className="card">
        <EmptyState sentence={isOfDates ? text.dates.empty : text.empty}>
          {!isOfDates && (
            <Link className={buttonClass({})} to={paths.latest}>
              {text.emptyAction}
            </Link>
          )}
        </EmptyState>
      </div>
    )
  }
  return (
    <div className="insights" aria-busy={isOutdated}>
      <StatTiles data={data} />
      <DailyCounts data={data} />
      {data.evenings.length > 0 && <EveningTable evenings={data.evenings} />}
      {data.evenings.length > 1 && (
        <EveningComparison
          evenings={data.evenings}
          days={search.get(eveningsParameter)?.split(',') ?? []}
          onChange={(days) => {
            const next = new URLSearchParams(search)
            next.set(eveningsParameter, days.join(','))
            // A new entry for each choice would bury the page before.
            setSearch(next, { replace: true, state: keepScroll })
          }}
        />
      )}
      <BestPhotos photos={data.best_photos} />
    </div>
  )
}

/** Choices of a time span, and fields for its days when it is none of the usual ones. */
function RangeControls({ range, today, onChange }: Props) {
  const text = useText({ insights })
  return (
    <div className="insights-range">
      <SegmentedControl
        legend={text.range}
        value={range.choice}
        options={rangeChoices.map((value) => ({ value, label: text.ranges[value] }))}
        onChange={(choice) => onChange(choice, range)}
      />
      {range.choice === 'dates' && <DatesForm range={range} today={today} onChange={onChange} />}
    </div>
  )
}

function DatesForm({ range, today, onChange }: Props) {
  const { dates: text } = useText({ insights })
  const form = useRef<HTMLFormElement>(null)
  const hint = useId()
  // Null: as shown. The URL can change without the form, by going back.
  const [typed, setTyped] = useState<{ from: string; to: string } | null>(null)
  const [problem, setProblem] = useState<RangeProblem | null>(null)
  const dates = typed ?? { from: range.from, to: range.to }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const found = rangeProblem(dates, today)
    setProblem(found)
    if (found) form.current?.querySelector<HTMLInputElement>(`[name=${found.field}]`)?.focus()
    else {
      setTyped(null)
      onChange('dates', dates)
    }
  }
  return (
    <form ref={form} className="insights-dates" noValidate onSubmit={submit}>
      {(['from', 'to'] as const).map((name) => (
        <Field
          key={name}
          label={text[name]}
          type="date"
          name={name}
          min={earliestDay}
          max={today}
          value={dates[name]}
          aria-describedby={hint}
          error={problem?.field === name ? text.problems[problem.why] : undefined}
          onChange={({ target }) => setTyped({ ...dates, [name]: target.value })}
        />
      ))}
      <Button type="submit">{text.show}</Button>
      <p id={hint} className="visually-hidden">
        {text.hint}
      </p>
    </form>
  )
}

/** The totals, the conversion and the peak hour. */
function StatTiles({ data: { totals, conversion_percent, peak_hour } }: { data: Insights }) {
  const text = useText({ insights })
  const format = useFormat()
  const calendar = useCalendar()
  return (
    <section aria-label={text.tiles.label}>
      <dl className="insights-tiles">
        {measures.map((measure) => (
          <StatTile
            key={measure}
            name={text.measures[measure]}
            value={format.count(totals[measure])}
            hint={text.hints[measure]}
          />
        ))}
        <StatTile
          name={text.tiles.conversion}
          value={conversion_percent === null ? null : format.percent(conversion_percent / 100)}
          hint={text.tiles.conversionHint}
        />
        <StatTile
          name={text.tiles.peak}
          value={peak_hour === null ? null : calendar.hour(peak_hour)}
          hint={text.tiles.peakHint}
        />
      </dl>
    </section>
  )
}

/** The photos with the most downloads and requests. */
function BestPhotos({ photos }: { photos: Insights['best_photos'] }) {
  const text = useText({ insights })
  const format = useFormat()
  const heading = useId()
  if (photos.length === 0) return null
  return (
    <section className="insights-best insights-cards" aria-labelledby={heading}>
      <h2 id={heading}>{text.best.heading}</h2>
      <p className="small muted">{text.best.order}</p>
      <div className="card insights-best__box">
        <table className="table tabular-numbers" aria-labelledby={heading}>
          <thead>
            <tr>
              <th scope="col">{text.best.photo}</th>
              {measures.map((measure) => (
                <th key={measure} scope="col">
                  {text.measures[measure]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {photos.map((photo) => (
              <tr key={photo.id}>
                <th scope="row">
                  <BestPhoto photo={photo} />
                </th>
                {measures.map((measure) => (
                  <td key={measure}>
                    <span className="insights-cards__name" aria-hidden="true">
                      {text.measures[measure]}
                    </span>
                    <span>{format.count(photo[measure])}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function BestPhoto({ photo }: { photo: Insights['best_photos'][number] }) {
  const text = useText({ insights })
  return (
    <Link className="insights-photo" to={galleryPhoto(photo.id)}>
      <Thumbnail url={photo.thumbnail_url} />
      <span className="ellipsis file-name" translate="no">
        {photo.filename}
      </span>
      <span className="visually-hidden">{text.inGallery}</span>
    </Link>
  )
}

const tileCount = 6

/** Shown while the insights are loading. */
function InsightsSkeleton() {
  return (
    <div className="insights">
      <output className="visually-hidden">{useText({ states }).loading}</output>
      <div className="insights-tiles" aria-hidden="true">
        {Array.from({ length: tileCount }, (_, index) => (
          <div key={index} className="card insights-tile">
            <span className="skeleton insights-skeleton--name" />
            <span className="skeleton insights-skeleton--value" />
          </div>
        ))}
      </div>
      <div className="card card--pad insights-days" aria-hidden="true">
        <span className="skeleton insights-skeleton--chart" />
      </div>
    </div>
  )
}

/** Replaces the figures for users whose plan does not include them; `planName`: null while a new plan is fetched. */
function InsightsUpgrade({ planName }: { planName: string | null }) {
  const { upgrade: text } = useText({ insights })
  const { yourPlan } = useText({ usage })
  return (
    <div className="card upgrade">
      <ChartColumn className="icon insights-icon" />
      <h2>{text.heading}</h2>
      <p className="muted">{text.lead}</p>
      {planName !== null && <p className="small muted">{yourPlan(planName)}</p>}
      <Link className={buttonClass({ tone: 'primary' })} to={pricingSection}>
        {text.action}
      </Link>
    </div>
  )
}

interface Props {
  range: { choice: RangeChoice; from: string; to: string }
  today: string
  onChange: (choice: RangeChoice, dates: { from: string; to: string }) => void
}

/** While a new version is started, a server of the one before can answer, which leaves them out. */
const defaults: Partial<Insights> = { evenings: [] }

/** The counts of a range of days. */
const insightsQuery = (api: Api, range: DateRange & { event?: string }) =>
  queryOptions({
    queryKey: ['insights', range, range.event],
    queryFn: async ({ signal }): Promise<Insights> => ({
      ...defaults,
      ...(await api.call(insightsEndpoint, { query: { ...range } }, { signal })),
    }),
    staleTime: 60_000,
    // The previous range stays visible until the next one is loaded, so that the layout does not jump; not that of another event.
    placeholderData: (before, query) => (query?.queryKey[2] === range.event ? before : undefined),
    retry: (failures, error) => failures < 1 && isTransient(error),
  })

/** The query parameter with the days of the two evenings that are compared. */
const eveningsParameter = 'evenings'

/** A page that stays open is looked at again on another day. */
function onVisibilityChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

interface ContentProps {
  data: Insights
  asked: DateRange & { event?: string }
  today: string
  /** Days were chosen, not a usual time span. */
  isOfDates: boolean
  /** Those of another time span are shown until these are loaded. */
  isOutdated: boolean
}
