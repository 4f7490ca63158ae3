import type { ByteSpan } from '../ports/storage/storage.ts'

/**
 * The range that a Range header (RFC 9110) asks for of an object with this many bytes. Undefined when the whole object
 * is to be sent: no header, another unit, or several ranges. Null when the range cannot be satisfied.
 */
export function parseRange(header: string | undefined, bytes: number): ByteSpan | null | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from === '') return Number(to) === 0 ? null : { start: Math.max(0, bytes - Number(to)), end: bytes - 1 }
  const start = Number(from)
  const end = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (to !== '' && Number(to) < start) return undefined
  return start < bytes ? { start, end } : null
}
