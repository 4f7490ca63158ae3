import { limits } from '@keepsnap/contract/limits.ts'
import type { RequestState } from '@keepsnap/contract/requests.ts'
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useState } from 'react'
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
  const search = useEffectEvent(() => {
    const email = typed.trim()
    if (email !== filter.email) onChange({ ...filter, email })
  })
  useEffect(() => {
    const timer = setTimeout(search, searchDebounceMs)
    return () => clearTimeout(timer)
  }, [typed])
  // Changed elsewhere: by Back, or the button that shows all.
  const [shownFor, setShownFor] = useState(filter.email)
  if (shownFor !== filter.email) {
    setShownFor(filter.email)
    if (typed.trim() !== filter.email) setTyped(filter.email)
  }
  return (
    <div role="search" className="requests-filters">
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
          onChange={({ target }) => setTyped(target.value)}
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
          onChange({ email: typed.trim(), state: states.find((state) => state === target.value) ?? null })
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
