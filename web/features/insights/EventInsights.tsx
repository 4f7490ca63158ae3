import { useMutation } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Event } from '@keepsnap/contract/events.ts'
import {
  type EventCounts,
  type EventHour,
  exportInsights,
  insightsFilename,
  shareOfScans,
} from '@keepsnap/contract/insights.ts'
import { refusalMessage } from '../../lib/api-errors.ts'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { eventPath } from '../../lib/paths.ts'
import { downloadFile } from '../../lib/urls.ts'
import { eventInsights, insights } from '../../messages/en/insights.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { EmptyState } from '../../ui/QueryView.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { insightsOfEvent, useEventName } from '../events/events.ts'
import { LazyBarChart } from './Evenings.tsx'
import { StatTile } from './StatTile.tsx'
import { type DateRange, useCalendar } from './measures.ts'

const counted = ['photo_scans', 'event_scans', 'views', 'downloads', 'requests', 'joins', 'photos'] as const
const chartMeasures = ['scans', 'views', 'downloads', 'requests', 'joins', 'photos'] as const
type ChartMeasure = (typeof chartMeasures)[number]

const countOf = (hour: EventCounts, measure: ChartMeasure): number =>
  measure === 'scans' ? hour.photo_scans + hour.event_scans : hour[measure]

const noCounts: EventCounts = {
  photo_scans: 0,
  event_scans: 0,
  views: 0,
  downloads: 0,
  requests: 0,
  joins: 0,
  photos: 0,
}
const sumOf = (hours: readonly EventCounts[]): EventCounts => {
  const sum = { ...noCounts }
  for (const hour of hours) for (const name of counted) sum[name] += hour[name]
  return sum
}

const hourMs = 3_600_000

/** The hours of one evening without gaps between the first and the last. */
function withoutGaps(hours: readonly EventHour[]): EventHour[] {
  const all: EventHour[] = []
  for (const hour of hours) {
    for (let last = all.at(-1); last && Date.parse(hour.at) - Date.parse(last.at) > hourMs; last = all.at(-1))
      all.push({
        ...last,
        ...noCounts,
        at: new Date(Date.parse(last.at) + hourMs).toISOString(),
        hour: (last.hour + 1) % 24,
      })
    all.push(hour)
  }
  return all
}

interface Props {
  hours: readonly EventHour[]
  /** What was asked for. */
  range: DateRange & { event?: string }
}

/** What happened in an event in a range of days: totals, one evening by hour, and all of it as CSV. */
export function EventInsights({ hours, range }: Props) {
  const totals = useMemo(() => sumOf(hours), [hours])
  return (
    <>
      <EventTiles totals={totals} hours={hours} />
      <EveningByHour {...{ hours, range }} />
    </>
  )
}

function EventTiles({ totals, hours }: { totals: EventCounts; hours: readonly EventHour[] }) {
  const text = useText({ insights })
  const event = useText({ eventInsights })
  const format = useFormat()
  const calendar = useCalendar()
  const share = shareOfScans(totals)
  const [busiest] = [...hours].sort((a, b) => countOf(b, 'scans') - countOf(a, 'scans'))
  const hints: Record<ChartMeasure, string> = {
    ...text.hints,
    scans: event.scansHint(format.count(totals.photo_scans), format.count(totals.event_scans)),
    downloads: event.downloadsHint,
    joins: event.joinsHint,
    photos: event.photosHint,
  }
  return (
    <section aria-label={text.tiles.label}>
      <dl className="insights-tiles insights-tiles--event">
        {chartMeasures.map((measure) => (
          <StatTile
            key={measure}
            name={event.measures[measure]}
            value={format.count(countOf(totals, measure))}
            hint={hints[measure]}
          />
        ))}
        <StatTile
          name={text.tiles.conversion}
          value={share === null ? null : format.percent(share / 100)}
          hint={text.tiles.conversionHint}
        />
        <StatTile
          name={text.tiles.peak}
          value={busiest && countOf(busiest, 'scans') > 0 ? calendar.hour(busiest.hour) : null}
          hint={text.tiles.peakHint}
        />
      </dl>
    </section>
  )
}

function EveningByHour({ hours, range }: Props) {
  const text = useText({ insights })
  const event = useText({ eventInsights })
  const format = useFormat()
  const calendar = useCalendar()
  const heading = useId()
  const [measure, setMeasure] = useState<ChartMeasure>('scans')
  const [chosen, setChosen] = useState<string | null>(null)
  const evenings = useMemo(() => {
    const days = [...new Set(hours.map((hour) => hour.evening))].reverse()
    return days.map((day) => [day, hours.filter((hour) => hour.evening === day)] as const)
  }, [hours])
  const most = [...evenings].sort(([, a], [, b]) => countOf(sumOf(b), 'scans') - countOf(sumOf(a), 'scans'))[0]
  const [evening, ofEvening] = evenings.find(([day]) => day === chosen) ?? most ?? ['', []]
  const shown = useMemo(() => withoutGaps(ofEvening), [ofEvening])
  const bars = useMemo(
    () =>
      shown.map((hour) => ({
        label: calendar.time(hour.hour),
        title: calendar.hour(hour.hour),
        count: countOf(hour, measure),
      })),
    [shown, measure, calendar],
  )
  const total = format.count(countOf(sumOf(shown), measure))
  return (
    <section className="insights-evenings insights-cards insights-hours" aria-labelledby={heading}>
      <div className="insights-days__head">
        <h2 id={heading}>{event.heading}</h2>
        <CsvButton range={range} />
      </div>
      <p className="small muted">{text.evenings.lead}</p>
      <div className="card card--pad insights-days">
        <div className="insights-hours__choices">
          {evenings.length > 1 && (
            <SelectField
              label={text.evenings.evening}
              value={evening}
              choices={evenings.map(([day]) => ({ value: day, label: calendar.evening(day) }))}
              onChange={({ target }) => setChosen(target.value)}
            />
          )}
          <SelectField
            label={text.chart.measure}
            value={measure}
            choices={chartMeasures.map((value) => ({ value, label: event.measures[value] }))}
            onChange={({ target }) => setMeasure(target.value as ChartMeasure)} // one of the options
          />
        </div>
        <figure className="insights-figure" aria-labelledby={heading}>
          <figcaption className="small muted tabular-numbers">
            <span>{text.chart.summary(event.measures[measure], total, calendar.evening(evening))}</span>
          </figcaption>
          <LazyBarChart bars={bars} />
        </figure>
      </div>
      <HourTable hours={shown} />
    </section>
  )
}

function HourTable({ hours }: { hours: readonly EventHour[] }) {
  const text = useText({ insights })
  const event = useText({ eventInsights })
  const format = useFormat()
  const calendar = useCalendar()
  const columns = [
    ...counted.map((name) => ({ name: event.columns[name], value: (hour: EventHour) => format.count(hour[name]) })),
    {
      name: text.tiles.conversion,
      value: (hour: EventHour) => {
        const share = shareOfScans(hour)
        return share === null ? '–' : format.percent(share / 100)
      },
    },
  ]
  return (
    <div className="card insights-evenings__box">
      <table className="table tabular-numbers">
        <caption className="visually-hidden">{event.heading}</caption>
        <thead>
          <tr>
            <th scope="col">{text.comparison.hour}</th>
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map((hour) => (
            <tr key={hour.at}>
              <th scope="row" translate="no">
                {calendar.hour(hour.hour)}
              </th>
              {columns.map(({ name, value }) => (
                <td key={name}>
                  <span className="insights-cards__name" aria-hidden="true">
                    {name}
                  </span>
                  <span>{value(hour)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Fetched by script, because a link would not send the session's token. */
function CsvButton({ range }: Pick<Props, 'range'>) {
  const text = useText({ eventInsights })
  const api = useApi()
  const toast = useToast()
  const name = useEventName()(range.event ?? null)
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.bytes(exportInsights, { query: { ...range, event: range.event ?? '' } }),
    onSuccess: (bytes) => downloadFile(bytes, insightsFilename({ name, ...range })),
    onError: (error) => toast({ text: refusalMessage(error, text.exportFailed), tone: 'bad' }),
  })
  return (
    <Button busy={isPending} onClick={() => mutate()}>
      {!isPending && <FileText className="icon" />}
      {text.export}
    </Button>
  )
}

/** Why there is nothing, and where there may be something: on the days of the event, or with its codes on the tables. */
export function NothingCounted({ event, range, today }: { event: Event | undefined; range: DateRange; today: string }) {
  const text = useText({ eventInsights })
  const isComing = event?.starts_on != null && event.starts_on > today
  const isElsewhere = event?.starts_on != null && !isComing && event.starts_on < range.from
  return (
    <div className="card">
      <EmptyState sentence={isComing ? text.coming : text.empty}>
        {event && (
          <Link className={buttonClass({})} to={isElsewhere ? insightsOfEvent(event, today) : eventPath(event.id)}>
            {isElsewhere ? text.itsDays : text.codes}
          </Link>
        )}
      </EmptyState>
    </div>
  )
}
