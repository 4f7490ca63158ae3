import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { skipToken, useQuery } from '@tanstack/react-query'
import { reportStatusOf } from './report-status.ts'

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
