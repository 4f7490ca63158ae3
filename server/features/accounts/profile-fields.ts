import {
  brandNameMessages,
  brandNameProblem,
  normalizeName,
  usernameMessages,
  usernameProblem,
} from '@keepsnap/contract/names.ts'
import { canonicalTimeZone } from '@keepsnap/contract/time-zones.ts'
import { invalidField } from '../../faults.ts'

/** The username as it is stored. Throws `invalid` for one that cannot be used. */
export function checkUsername(text: string): string {
  const name = normalizeName(text)
  const problem = usernameProblem(name)
  if (problem) throw invalidField('username', usernameMessages[problem])
  return name
}

/** The brand name as it is stored; an empty one is none. Throws `invalid` for one that guests cannot be shown. */
export function checkBrandName(text: string | null): string | null {
  const name = normalizeName(text ?? '')
  if (name === '') return null
  const problem = brandNameProblem(name)
  if (problem) throw invalidField('brand_name', brandNameMessages[problem])
  return name
}

/** The time zone as it is stored; null for the server's. Throws `invalid` for one that is unknown. */
export function checkTimeZone(text: string | null): string | null {
  if (text === null) return null
  const timeZone = canonicalTimeZone(text)
  if (timeZone === undefined) throw invalidField('time_zone', 'Please give a time zone such as Europe/Brussels')
  return timeZone
}
