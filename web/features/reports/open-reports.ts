import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { skipToken, useQuery } from '@tanstack/react-query'

export const reportsKey = ['reports'] as const

/**
 * How many reported photos wait for a decision; 0 while that is not known. Reads what others have asked for: this is
 * part of every page, the question is not.
 */
export function useOpenReports(): number {
  const { data } = useQuery({ queryKey: reportsKey, queryFn: skipToken, select: countOpen })
  return data ?? 0
}

const countOpen = (reports: PhotoReport[]): number => reports.filter(({ open }) => open).length
