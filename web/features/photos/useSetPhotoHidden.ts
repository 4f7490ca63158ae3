import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { setCachedPhotoHidden } from './photo-cache.ts'

/** Returns a function that sets, in all queries, whether the photo of a report is hidden from guests. */
export function useSetPhotoHidden(): (report: Pick<PhotoReport, 'photo' | 'hidden'>) => void {
  const queryClient = useQueryClient()
  return useCallback(({ photo, hidden }) => setCachedPhotoHidden(queryClient, photo.id, hidden), [queryClient])
}
