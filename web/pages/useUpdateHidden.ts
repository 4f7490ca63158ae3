import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { setPhotoHidden } from '../features/photos/photo-cache.ts'

/** After a decision about a reported photo, updates the photo in all queries. */
export function useUpdateHidden(): (report: PhotoReport) => void {
  const queryClient = useQueryClient()
  return useCallback(({ photo, hidden }) => setPhotoHidden(queryClient, photo.id, hidden), [queryClient])
}
