import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { ApiError } from '../../lib/answers.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'
import type { Counts } from './queries.ts'

type Words = Catalogue['requests']

/** The line under the heading: `61 requests, 58 sent, 1 failed, 2 on the way`. Null when there are none. */
export function summaryOf({ total, sent, failed }: Counts, { summary }: Words, format: Format): string | null {
  if (total <= 0) return null
  const open = Math.max(0, total - sent - failed)
  const parts = [summary.all(total, format.count(total)), summary.sent(format.count(sent))]
  if (failed > 0) parts.push(summary.failed(format.count(failed)))
  if (open > 0) parts.push(summary.open(format.count(open)))
  return summary.list(parts)
}

/** What stands below a request's state: why, and what happens next. The server's own sentence comes last. */
export function reasonsOf(
  { state, due_at, failure }: PhotoRequest,
  text: Words,
  format: Format,
): { ours: string | null; theirs: string | null } {
  if (state === 'sent') return { ours: null, theirs: null }
  if (state === 'failed' || due_at === null) return { ours: null, theirs: failure }
  const when = format.dateTime(due_at)
  if (state === 'waiting') return { ours: text.goesAt(when), theirs: failure }
  // A letter that has not been tried yet goes in a moment; only one that did not get through is worth a time.
  return { ours: failure === null ? null : text.tryAt(when), theirs: failure }
}

/** The server's own words, or ours. */
export const requestMessage = (error: unknown, otherwise: string): string =>
  (error instanceof ApiError && error.status < 500 && error.sentence) || otherwise

/** An address in the two parts between which a line may break. */
export function addressParts(address: string): [string, string] {
  const at = address.lastIndexOf('@')
  return at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at)]
}
