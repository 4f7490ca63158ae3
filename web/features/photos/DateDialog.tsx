import { X } from 'lucide-react'
import { type SubmitEvent, useId, useState } from 'react'
import { createDateFormat } from '../../lib/format.ts'
import { noonOf } from './justified-layout.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { gallery } from '../../messages/en/photos.ts'
import { states } from '../../messages/en/frame.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { LoadFailed } from '../../ui/QueryView.tsx'
import { type Dates, monthFormat, monthsOf } from './DateNavigation.tsx'

/** Goes to a date: one that is typed, or an evening of the list. */
export function DateDialog({ dates, onClose }: { dates: Dates; onClose: () => void }) {
  const text = useText({ gallery }).dates
  const { close } = useText({ states })
  const id = useId()
  return (
    <Dialog className="dialog date-dialog" open onClose={onClose} aria-labelledby={id}>
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
