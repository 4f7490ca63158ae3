import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'
import type { StateCounts } from './request-pages.ts'

type RequestMessages = Catalogue['requests']

/** The line below the heading: `61 requests, 58 sent, 1 failed, 2 pending`, or `0 requests`. */
export function summaryOf({ total, sent, failed }: StateCounts, { summary }: RequestMessages, format: Format): string {
  if (total <= 0) return summary.all(0, format.count(0))
  const pending = Math.max(0, total - sent - failed)
  const parts = [summary.all(total, format.count(total)), summary.sent(format.count(sent))]
  if (failed > 0) parts.push(summary.failed(format.count(failed)))
  if (pending > 0) parts.push(summary.pending(format.count(pending)))
  return summary.list(parts)
}

/** The details below a request's state. `next`: when the email is sent; `reason`: the server's sentence about a failure. */
export function stateDetails(
  { state, due_at, failure }: PhotoRequest,
  text: RequestMessages,
  format: Format,
): { next: string | null; reason: string | null } {
  if (state === 'sent') return { next: null, reason: null }
  if (state === 'failed' || due_at === null) return { next: null, reason: failure }
  const when = format.dateTime(due_at)
  if (state === 'waiting') return { next: text.scheduledFor(when), reason: failure }
  // An email that was not tried yet is sent within seconds; only the time of a retry is worth showing.
  return { next: failure === null ? null : text.nextAttempt(when), reason: failure }
}
