import { useId, useRef, useState, type FormEvent } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { insights } from '../../messages/en/insights.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { earliestDay, type RangeChoice, rangeChoices, rangeProblem, type RangeProblem } from './date-range.ts'

interface Props {
  range: { choice: RangeChoice; from: string; to: string }
  today: string
  onChange: (choice: RangeChoice, dates: { from: string; to: string }) => void
}

/** Choices of a time span, and fields for its days when it is none of the usual ones. */
export function RangeControls({ range, today, onChange }: Props) {
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
