import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { markHidden } from '../features/photos/photo-cache.ts'

/** Tells the photos what was decided about one of them. */
export function useHiding(): (report: PhotoReport) => void {
  const queries = useQueryClient()
  return useCallback(({ photo, hidden }) => markHidden(queries, photo.id, hidden), [queries])
}
