import { useQuery } from '@tanstack/react-query'
import { Fragment, useEffect, useRef } from 'react'
import { endOfHour, type EventOrder } from '@keepsnap/contract/photos.ts'
import { useApi } from '../../lib/app-services.tsx'
import { createDateFormat } from '../../lib/format.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { eventOrder } from '../../messages/en/event-guests.ts'
import { buttonClass } from '../../ui/Button.tsx'
import type { HeadingFocus } from '../../ui/PageHeading.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { photoHoursQuery } from './photo-cache.ts'
import { noonOf } from './justified-layout.ts'

const orders = ['added', 'taken'] as const

interface Props {
  event: string
  order: EventOrder
  /** Requested when an order is chosen here: the list of another one replaces this bar. */
  focus: HeadingFocus
  onOrder: (order: EventOrder) => void
  onHour: (hour: { until: string }) => void
}

/** The order of an event's photos, and its hours that have any. */
export function EventOrderBar({ event, order, focus, onOrder, onHour }: Props) {
  const text = useText({ eventOrder })
  const format = useFormat()
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focus.consume()) bar.current?.querySelector<HTMLElement>(':checked')?.focus({ preventScroll: true })
  }, [focus])
  const { data } = useQuery(photoHoursQuery(useApi(), event, order))
  const hours = data?.hours ?? []
  const evenings = new Set(hours.map(({ evening }) => evening))
  const timeOf = new Intl.DateTimeFormat(format.locale, { timeStyle: 'short', timeZone: data?.time_zone ?? 'UTC' })
  const eveningOf = createDateFormat(format.locale, { weekday: 'short', day: 'numeric', month: 'short' })
  return (
    <div className="event-order" ref={bar}>
      <SegmentedControl
        legend={text.label}
        value={order}
        options={orders.map((value) => ({ value, label: text.orders[value] }))}
        onChange={(chosen) => {
          focus.request()
          onOrder(chosen)
        }}
      />
      {hours.length > 1 && (
        <ol className="event-order__hours" aria-label={text.hours}>
          {hours.map((hour, at) => {
            const time = timeOf.format(new Date(hour.at))
            return (
              <Fragment key={hour.at}>
                {evenings.size > 1 && hours[at - 1]?.evening !== hour.evening && (
                  <li className="small muted" translate="no">
                    {eveningOf(noonOf(hour.evening))}
                  </li>
                )}
                <li>
                  <button
                    type="button"
                    className={`${buttonClass({})} tabular-numbers`}
                    aria-label={text.hour(time, hour.count, format.count(hour.count))}
                    onClick={() => onHour({ until: endOfHour(hour) })}
                  >
                    <span translate="no">{time}</span> <span className="muted">{format.count(hour.count)}</span>
                  </button>
                </li>
              </Fragment>
            )
          })}
        </ol>
      )}
    </div>
  )
}
