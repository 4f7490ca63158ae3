import type { User } from '@keepsnap/contract/accounts.ts'
import { ChevronDown } from 'lucide-react'
import { memo, useCallback, useEffect, useId, useRef, useState } from 'react'
import { deviceTimeZone } from '../../lib/device-time-zone.ts'
import { useText } from '../../lib/i18n.tsx'
import { account } from '../../messages/en/account.ts'
import { Note } from '../../ui/Note.tsx'
import { SaveStatus } from '../../ui/SaveStatus.tsx'
import { useTextSetting, type TextSetting } from './useTextSetting.ts'

/** Every time zone of this browser, with the saved one and the device's, which it may spell differently. */
function timeZoneNames(saved: string | null): string[] {
  const names = [saved, deviceTimeZone(), ...Intl.supportedValuesOf('timeZone')]
  return [...new Set(names.filter((name) => name !== null && name !== undefined))].sort()
}

/** Hundreds of options, made again only when the saved time zone changes. */
const TimeZoneOptions = memo(function TimeZoneOptions({ saved }: { saved: string | null }) {
  return timeZoneNames(saved).map((name) => (
    <option key={name} value={name} translate="no">
      {name.replaceAll('_', ' ')}
    </option>
  ))
})

/** Debounces saving: with the keyboard, every arrow key changes the value. */
const saveDebounceMs = 1_000

/** The time zone of times in emails and of guests' file names, saved when it is chosen. */
export function TimeZoneField({ user }: { user: User }) {
  const text = useText({ account }).profile.timeZone
  const id = useId()
  const setting = useTextSetting('time_zone', text)
  const byKeyboard = useRef(false)
  const choice = useChoice(user.time_zone ?? '', setting)
  return (
    <div className="field">
      <label htmlFor={id}>{text.label}</label>
      <div className="select">
        <select
          className="input"
          id={id}
          value={choice.value}
          aria-describedby={`${id}-hint`}
          aria-busy={setting.isSaving || undefined}
          onChange={({ target }) => {
            choice.change(target.value)
            if (!byKeyboard.current) choice.commit()
          }}
          onBlur={choice.commit}
          onKeyDown={() => (byKeyboard.current = true)}
          onPointerDown={() => (byKeyboard.current = false)}
        >
          <option value="">{text.server}</option>
          <TimeZoneOptions saved={user.time_zone} />
        </select>
        <ChevronDown className="icon" />
      </div>
      <p className="tiny muted" id={`${id}-hint`}>
        {text.hint}
      </p>
      {setting.error !== undefined && <Note tone="bad">{setting.error}</Note>}
      <SaveStatus message={setting.message} saving={setting.isSaving} />
    </div>
  )
}

interface Choice {
  /** What is saved, or what was chosen and is not saved yet. When it cannot be saved, what is saved returns. */
  value: string
  change: (value: string) => void
  /** Saves what was chosen now. */
  commit: () => void
}

function useChoice(saved: string, { save, clearError, isSaving }: TextSetting): Choice {
  const [chosenTimeZone, setChosenTimeZone] = useState<string | null>(null)
  const pendingSave = useRef<{ timer: ReturnType<typeof setTimeout>; save: () => void } | null>(null)
  const commit = useCallback((): void => {
    const next = pendingSave.current
    pendingSave.current = null
    clearTimeout(next?.timer)
    next?.save()
  }, [])
  // Saves on unmount, too.
  useEffect(() => commit, [commit])
  const change = (value: string): void => {
    clearTimeout(pendingSave.current?.timer)
    pendingSave.current = null
    clearError()
    setChosenTimeZone(value)
    const clearChosen = () => setChosenTimeZone((latest) => (latest === value ? null : latest))
    if (value === saved && !isSaving) clearChosen()
    else pendingSave.current = { timer: setTimeout(commit, saveDebounceMs), save: () => save(value, clearChosen) }
  }
  return { value: chosenTimeZone ?? saved, change, commit }
}
