import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { ApiError } from '../../lib/answers.ts'
import type { Decision } from './queries.ts'

/** How a reported photo stands: waiting for its owner, hidden, or shown. */
export const standingOf = ({ open, hidden }: PhotoReport): 'open' | Decision =>
  hidden ? 'hide' : open ? 'open' : 'keep'

/** What its owner may do, the safest first; a report that came after hiding can still be closed by showing. */
export function choicesOf({ open, hidden }: PhotoReport): ('hide' | 'keep' | 'show')[] {
  if (hidden) return ['show']
  return open ? ['hide', 'keep'] : ['hide']
}

/** The server's own words, or ours. */
export const decideMessage = (error: unknown, otherwise: string): string =>
  (error instanceof ApiError && error.status < 500 && error.sentence) || otherwise
