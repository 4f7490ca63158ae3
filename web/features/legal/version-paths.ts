import { versionParameter, type LegalDocument } from '@keepsnap/contract/legal.ts'
import { paths } from '../../lib/paths.ts'

/** The version that a URL asks for, by its date; null for the one that applies. */
export const versionIn = (search: URLSearchParams): string | null => search.get(versionParameter)

/** The path of a version; without `from`, of the one that applies. */
export const legalVersionPath = (document: LegalDocument, from?: string): string =>
  from === undefined ? paths[document] : `${paths[document]}?${new URLSearchParams({ [versionParameter]: from })}`

/** The day of a time in the time zone of the device: `2026-11-23`. */
export function dayOf(time: Date): string {
  const twoDigits = (value: number): string => String(value).padStart(2, '0')
  return `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`
}
