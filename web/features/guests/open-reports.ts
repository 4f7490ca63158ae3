import { skipToken, useQuery } from '@tanstack/react-query'
import type { PhotoReport } from '@keepsnap/contract/guests.ts'

/** What an owner decides about a report. */
export type Decision = 'hide' | 'keep'

/** The status of a reported photo: `open` needs a review, `hide` is hidden, by an operator if `operator`, `keep` is visible. */
export function reportStatusOf({ open, hidden, hidden_by_operator }: PhotoReport): 'open' | 'operator' | Decision {
  if (hidden) return hidden_by_operator ? 'operator' : 'hide'
  return open ? 'open' : 'keep'
}

/** The classes of its badge. */
export const reportTones = { open: 'badge--warn', hide: 'badge--bad', keep: 'badge--ok', operator: 'badge--bad' }

/** What the owner may do, the safest action first. Showing a hidden photo again closes its reports. */
export function actionsOf({ open, hidden, hidden_by_operator }: PhotoReport): ('hide' | 'keep' | 'show')[] {
  if (hidden) return hidden_by_operator ? [] : ['show']
  return open ? ['hide', 'keep'] : ['hide']
}

export const reportsKey = ['reports'] as const

/**
 * The number of reported photos that need a review; 0 while it is unknown. Only reads the cache: every page shows this
 * number, but only some load the code of the query.
 */
export function useOpenReportCount(): number {
  const { data } = useQuery({ queryKey: reportsKey, queryFn: skipToken, select: countOpen })
  return data ?? 0
}

/** The reports that need a review, newest first. */
export const openReports = (reports: readonly PhotoReport[]): PhotoReport[] =>
  reports.filter((report) => reportStatusOf(report) === 'open')
const countOpen = (reports: PhotoReport[]): number => openReports(reports).length
