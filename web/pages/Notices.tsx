import type { User } from '@keepsnap/contract/accounts.ts'
import { useLocation } from 'react-router'
import { EmailStatusNotice } from '../features/frame/EmailStatusNotice.tsx'
import { NoticesPending } from '../features/frame/NoticesPending.tsx'
import { PastDueNote } from '../features/plans/PastDueNote.tsx'
import { PhotoRemovalNote } from '../features/plans/PhotoRemovalNote.tsx'
import { paths } from '../lib/paths.ts'
import { usePlanStatus } from '../lib/plan-status.ts'
import '../features/plans/subscription.css'

const pagesAboutPhotos = new Set<string>([paths.gallery, paths.upload])

/** Above the pages of a signed-in user, except the big screen. */
export function Notices({ user }: { user: User }) {
  const { pathname } = useLocation()
  const { isPending } = usePlanStatus()
  return (
    <>
      {isPending && <NoticesPending />}
      {user.is_admin && <EmailStatusNotice />}
      {/* Settings have it in a section of their own. */}
      {pathname !== paths.settings && <PaymentNotice />}
      {pagesAboutPhotos.has(pathname) && <KeptPhotosNotice />}
    </>
  )
}

/** While a payment is missing. */
function PaymentNotice() {
  const { data: status } = usePlanStatus()
  if (status?.subscription?.status !== 'past_due') return null
  return (
    <div className="wrap frame__notice">
      <PastDueNote status={status} isElsewhere />
    </div>
  )
}

/** On pages with photos, after a larger plan has ended. */
function KeptPhotosNotice() {
  const { data: status } = usePlanStatus()
  if (!status?.removal && !status?.removed_photos) return null
  return (
    <div className="wrap frame__notice">
      <PhotoRemovalNote status={status} />
    </div>
  )
}
