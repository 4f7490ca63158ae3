import { ReportNotice } from '../features/reports/ReportNotice.tsx'
import { useSetPhotoHidden } from '../features/photos/useSetPhotoHidden.ts'

/** Loaded once there is something to show. */
export function ReportNotices({ userId }: { userId: string }) {
  return <ReportNotice userId={userId} onDecided={useSetPhotoHidden()} />
}
