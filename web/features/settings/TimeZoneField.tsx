import type { User } from '@keepsnap/contract/accounts.ts'
import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { deviceTimeZone } from '../../lib/device-time-zone.ts'
import { useText } from '../../lib/i18n.tsx'
import { account } from '../../messages/en/account.ts'
import { Note } from '../../ui/Note.tsx'
import { SaveStatus } from '../../ui/SaveStatus.tsx'
import { useTextSetting } from './useTextSetting.ts'

/** Every time zone of this browser, with the saved one and the device's, which it may spell differently. */
function timeZoneNames(saved: string | null): string[] {
  const names = [saved, deviceTimeZone(), ...Intl.supportedValuesOf('timeZone')]
  return [...new Set(names.filter((name) => name !== null && name !== undefined))].toSorted()
}

/** The time zone of times in emails and of guests' file names, saved when it is chosen. */
export function TimeZoneField({ user }: { user: User }) {
  const text = useText({ account }).profile.timeZone
  const id = useId()
  const setting = useTextSetting('time_zone', text)
  return (
    <div className="field">
      <label htmlFor={id}>{text.label}</label>
      <div className="select">
        <select
          className="input"
          id={id}
          value={user.time_zone ?? ''}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => setting.save(target.value)}
        >
          <option value="">{text.server}</option>
          {timeZoneNames(user.time_zone).map((name) => (
            <option key={name} value={name} translate="no">
              {name.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
        <ChevronDown className="icon" />
      </div>
      <p className="tiny muted" id={`${id}-hint`}>
        {text.hint}
      </p>
      {setting.error !== undefined && <Note tone="bad">{setting.error}</Note>}
      <SaveStatus message={setting.message} />
    </div>
  )
}
