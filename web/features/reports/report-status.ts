import type { PhotoReport } from '@keepsnap/contract/reports.ts'

/** What an owner decides about a report. */
export type Decision = 'hide' | 'keep'

/** The status of a reported photo: `open` needs a review, `hide` is hidden, by an operator if `operator`, `keep` is visible. */
export function reportStatusOf({ open, hidden, hidden_by_operator }: PhotoReport): 'open' | 'operator' | Decision {
  if (hidden) return hidden_by_operator ? 'operator' : 'hide'
  return open ? 'open' : 'keep'
}

/** What the owner may do, the safest action first. Showing a hidden photo again closes its reports. */
export function actionsOf({ open, hidden, hidden_by_operator }: PhotoReport): ('hide' | 'keep' | 'show')[] {
  if (hidden) return hidden_by_operator ? [] : ['show']
  return open ? ['hide', 'keep'] : ['hide']
}
