import { limits } from '@keepsnap/contract/limits.ts'
import type { RequestState } from '@keepsnap/contract/requests.ts'
import { Search } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useText } from '../../lib/i18n.tsx'
import { requests as messages } from '../../messages/en/requests.ts'
import type { RequestFilter } from './request-pages.ts'

const searchDebounceMs = 250
const states = ['queued', 'waiting', 'sent', 'failed'] as const satisfies readonly RequestState[]

/** Search by address, and the state to show. */
export function RequestFilters({
  filter,
  onChange,
}: {
  filter: RequestFilter
  onChange: (filter: RequestFilter) => void
}) {
  const text = useText({ requests: messages })
  const id = useId()
  const [typed, setTyped] = useState(filter.email)
  const searchTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(searchTimer.current), [])
  const change = (now: RequestFilter, delayMs = 0): void => {
    clearTimeout(searchTimer.current)
    searchTimer.current = setTimeout(() => onChange(now), delayMs)
  }
  // Changed elsewhere: by Back, or the button that shows all.
  const [shownFor, setShownFor] = useState(filter.email)
  if (shownFor !== filter.email) {
    setShownFor(filter.email)
    if (typed.trim() !== filter.email) setTyped(filter.email)
  }
  return (
    <div className="requests-filters">
      <div className="requests-search">
        <label className="visually-hidden" htmlFor={`${id}-search`}>
          {text.search}
        </label>
        <Search className="icon" />
        <input
          id={`${id}-search`}
          className="input"
          type="search"
          inputMode="email"
          value={typed}
          maxLength={limits.emailChars}
          placeholder={text.search}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => {
            setTyped(target.value)
            change({ ...filter, email: target.value.trim() }, searchDebounceMs)
          }}
        />
      </div>
      <label className="visually-hidden" htmlFor={`${id}-state`}>
        {text.filter}
      </label>
      <select
        id={`${id}-state`}
        className="input"
        value={filter.state ?? ''}
        onChange={({ target }) =>
          change({ email: typed.trim(), state: states.find((state) => state === target.value) ?? null })
        }
      >
        <option value="">{text.allStates}</option>
        {states.map((state) => (
          <option key={state} value={state}>
            {text.states[state]}
          </option>
        ))}
      </select>
    </div>
  )
}
