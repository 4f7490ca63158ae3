import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { ApiError } from '../../lib/api-errors.ts'
import type { Decision } from './queries.ts'

/** The status of a reported photo: `open` needs a review, `hide` is hidden, `keep` is visible. */
export const statusOf = ({ open, hidden }: PhotoReport): 'open' | Decision => (hidden ? 'hide' : open ? 'open' : 'keep')

/** What the owner may do, the safest action first. Showing a hidden photo again closes its reports. */
export function actionsOf({ open, hidden }: PhotoReport): ('hide' | 'keep' | 'show')[] {
  if (hidden) return ['show']
  return open ? ['hide', 'keep'] : ['hide']
}

/** The server's sentence about a refused request, or the fallback. */
export const errorMessage = (error: unknown, fallback: string): string =>
  (error instanceof ApiError && error.status < 500 && error.explanation) || fallback
