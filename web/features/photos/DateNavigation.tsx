import { CalendarDays } from 'lucide-react'
import { noonOf } from './justified-layout.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { gallery } from '../../messages/en/photos.ts'
import { Button } from '../../ui/Button.tsx'
import type { PhotoDay } from './photo-cache.ts'

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

export function monthsOf(days: readonly PhotoDay[]) {
  const months: { month: string; count: number; days: PhotoDay[] }[] = []
  for (const day of days) {
    const month = day.day.slice(0, 7)
    let last = months.at(-1)
    if (last?.month !== month) months.push((last = { month, count: 0, days: [] }))
    last.days.push(day)
    last.count += day.count
  }
  return months
}

export const monthFormat = (locale: string, month: 'long' | 'short'): ((evening: string) => string) => {
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
      {months.length > 0 && (
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

export function DateButton({ onOpen, className = '' }: { onOpen: () => void; className?: string | undefined }) {
  const text = useText({ gallery }).dates
  return (
    <Button className={className} aria-haspopup="dialog" onClick={onOpen}>
      <CalendarDays className="icon" />
      {text.button}
    </Button>
  )
}
