import { CalendarDays, X } from 'lucide-react'
import { useId, useState, type SubmitEvent } from 'react'
import { createDateFormat } from '../../../lib/date-format.ts'
import { noonOf } from '../../../lib/evenings.ts'
import { useFormat, useText } from '../../../lib/i18n.tsx'
import { gallery } from '../../../messages/en/gallery.ts'
import { states } from '../../../messages/en/states.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { LoadFailed } from '../../../ui/LoadFailed.tsx'
import type { PhotoDay } from '../queries.ts'

export interface Dates {
  /** Newest first; undefined while they are not known. */
  days: readonly PhotoDay[] | undefined
  failed: boolean
  isFetching: boolean
  retry: () => void
  /** Whether the months have room beside the photos. */
  isWide: boolean
  /** Shows the photos of an evening; null: the newest. */
  goTo: (evening: string | null) => void
}

interface Month {
  month: string
  count: number
  days: PhotoDay[]
}

function monthsOf(days: readonly PhotoDay[]): Month[] {
  const months: Month[] = []
  for (const day of days) {
    const month = day.day.slice(0, 7)
    let last = months.at(-1)
    if (last?.month !== month) months.push((last = { month, count: 0, days: [] }))
    last.days.push(day)
    last.count += day.count
  }
  return months
}

const monthFormat = (locale: string, month: 'long' | 'short'): ((evening: string) => string) => {
  const format = new Intl.DateTimeFormat(locale, { month, year: 'numeric' })
  return (evening) => format.format(noonOf(evening))
}

/** The months that have photos. `evening`: of the photos in view. */
export function MonthRail({ dates: { days, isWide, goTo }, evening }: { dates: Dates; evening: string }) {
  const text = useText({ gallery }).dates
  const format = useFormat()
  const months = days ? monthsOf(days) : []
  if (!isWide) return null
  const nameOf = monthFormat(format.locale, 'short')
  return (
    <nav className="month-rail" aria-label={text.months}>
      {months.length > 1 && (
        <ol>
          {months.map(({ month, count, days: [newest] }) => (
            <li key={month}>
              <button
                type="button"
                className="month-rail__month"
                aria-current={evening.startsWith(month) ? 'true' : undefined}
                onClick={() => goTo(newest!.day)} // months have at least one day
              >
                <span translate="no">{nameOf(newest!.day)}</span>{' '}
                <span className="muted tabular-numbers">{format.count(count)}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </nav>
  )
}

/** Opens the list of evenings. */
export function DateButton({ onOpen, className = '' }: { onOpen: () => void; className?: string | undefined }) {
  const text = useText({ gallery }).dates
  return (
    <Button className={className} aria-haspopup="dialog" onClick={onOpen}>
      <CalendarDays className="icon" />
      {text.button}
    </Button>
  )
}

/** Goes to a date: one that is typed, or an evening of the list. */
export function DateDialog({ dates, open, onClose }: { dates: Dates; open: boolean; onClose: () => void }) {
  const text = useText({ gallery }).dates
  const { close } = useText({ states })
  const id = useId()
  return (
    <Dialog className="dialog date-dialog" open={open} onClose={onClose} aria-labelledby={id}>
      <header className="date-dialog__head">
        <h2 id={id}>{text.button}</h2>
        <Button tone="ghost" icon aria-label={close} onClick={onClose}>
          <X className="icon" />
        </Button>
      </header>
      <DateForm dates={dates} />
      <EveningList dates={dates} />
    </Dialog>
  )
}

function DateForm({ dates: { days, goTo } }: { dates: Dates }) {
  const text = useText({ gallery }).dates
  const id = useId()
  const [date, setDate] = useState('')
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (date) goTo(date)
  }
  return (
    <form className="date-dialog__form" onSubmit={submit}>
      <label className="visually-hidden" htmlFor={id}>
        {text.date}
      </label>
      <input
        id={id}
        className="input"
        type="date"
        min={days?.at(-1)?.day}
        max={days?.[0]?.day}
        required
        value={date}
        onChange={({ target }) => setDate(target.value)}
      />
      <Button type="submit" tone="primary">
        {text.go}
      </Button>
    </form>
  )
}

function EveningList({ dates: { days, failed, isFetching, retry, goTo } }: { dates: Dates }) {
  const text = useText({ gallery })
  const format = useFormat()
  const { loading } = useText({ states })
  if (!days && failed) return <LoadFailed sentence={text.dates.failed} busy={isFetching} onRetry={retry} />
  if (!days) {
    return (
      <div className="date-dialog__list" aria-busy="true">
        <output className="visually-hidden">{loading}</output>
        {[1, 2, 3, 4].map((line) => (
          <div key={line} className="skeleton date-dialog__skeleton" aria-hidden="true" />
        ))}
      </div>
    )
  }
  const monthOf = monthFormat(format.locale, 'long')
  const eveningOf = createDateFormat(format.locale, { weekday: 'long', day: 'numeric', month: 'long' })
  return (
    <div className="date-dialog__list">
      <button type="button" className="date-dialog__day" onClick={() => goTo(null)}>
        {text.dates.newest}
      </button>
      {monthsOf(days).map(({ month, count, days: evenings }) => (
        <section key={month} aria-labelledby={`month-${month}`}>
          <h3 id={`month-${month}`}>
            <span translate="no">{monthOf(evenings[0]!.day)}</span>{' '}
            <span className="muted tabular-numbers">{format.count(count)}</span>
          </h3>
          <ul>
            {evenings.map(({ day, count: photos }) => (
              <li key={day}>
                <button type="button" className="date-dialog__day" onClick={() => goTo(day)}>
                  <span translate="no">{eveningOf(noonOf(day))}</span>{' '}
                  <span className="muted tabular-numbers">{format.count(photos)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
