import type { ReactNode } from 'react'
import { SelectField } from '../../ui/Field.tsx'
import { isOpen, useEventName, useEvents } from './events.ts'

interface Props {
  label: string
  /** The id of an event, or null. */
  value: string | null
  /** What null means. */
  none: string
  onChange: (id: string | null) => void
  /** Content below it. */
  below?: ReactNode
  /** The last choice. */
  last?: { value: string; label: string }
}

/** A choice of one of the events that are neither archived nor deleted, or of none. */
export function EventField({ label, value, none, onChange, below, last }: Props) {
  const events = useEvents()?.filter(isOpen) ?? []
  const nameOf = useEventName()
  const isListed = value === null || value === last?.value || events.some(({ id }) => id === value)
  return (
    <SelectField
      label={label}
      value={value ?? ''}
      choices={[
        { value: '', label: none },
        ...(isListed ? [] : [{ value, label: nameOf(value) }]),
        ...events.map(({ id, name }) => ({ value: id, label: name })),
        ...(last ? [last] : []),
      ]}
      onChange={({ target }) => onChange(target.value || null)}
      below={below}
    />
  )
}
