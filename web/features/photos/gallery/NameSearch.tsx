import { limits } from '@keepsnap/contract/limits.ts'
import { Search, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useText } from '../../../lib/i18n.tsx'
import { gallery } from '../../../messages/en/gallery.ts'
import { Button } from '../../../ui/Button.tsx'

const searchDelayMs = 300

interface Props {
  /** What is searched for. */
  name: string
  onName: (name: string) => void
}

/** Searches photos by their file names, a moment after the user stopped typing. */
export function NameSearch({ name, onName }: Props) {
  const text = useText({ gallery }).search
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(name)
  const [searched, setSearched] = useState(name)
  if (searched !== name) {
    // Cleared elsewhere, such as by going to a date.
    setSearched(name)
    setTyped(name)
  }
  const wanted = typed.trim()
  useEffect(() => {
    if (wanted === name) return undefined
    const timer = setTimeout(
      () => {
        setSearched(wanted)
        onName(wanted)
      },
      wanted ? searchDelayMs : 0,
    )
    return () => clearTimeout(timer)
  }, [wanted, name, onName])
  return (
    <div className="gallery-search">
      <label className="visually-hidden" htmlFor={id}>
        {text.label}
      </label>
      <Search className="icon" aria-hidden="true" />
      <input
        ref={field}
        id={id}
        className="input"
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.filenameBytes}
        placeholder={text.label}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && setTyped('')}
      />
      {typed && (
        <Button
          className="gallery-search__clear"
          tone="ghost"
          icon
          aria-label={text.clear}
          onClick={() => {
            setTyped('')
            field.current?.focus()
          }}
        >
          <X className="icon" />
        </Button>
      )}
    </div>
  )
}
