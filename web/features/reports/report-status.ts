import type { PhotoReport } from '@keepsnap/contract/reports.ts'

/** What an owner decides about a report. */
export type Decision = 'hide' | 'keep'

/** The status of a reported photo: `open` needs a review, `hide` is hidden, `keep` is visible. */
export const statusOf = ({ open, hidden }: PhotoReport): 'open' | Decision => (hidden ? 'hide' : open ? 'open' : 'keep')

/** What the owner may do, the safest action first. Showing a hidden photo again closes its reports. */
export function actionsOf({ open, hidden }: PhotoReport): ('hide' | 'keep' | 'show')[] {
  if (hidden) return ['show']
  return open ? ['hide', 'keep'] : ['hide']
}
