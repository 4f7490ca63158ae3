import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { ready } from '@keepsnap/contract/site.ts'
import type { User } from '@keepsnap/contract/accounts.ts'
import { useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { notices } from '../../messages/en/frame.ts'
import { Note } from '../../ui/Note.tsx'
import { PastDueNote, PhotoRemovalNote } from '../plans/PlanNotices.tsx'
import { paths } from '../../lib/paths.ts'
import { usePlanStatus } from '../plans/plan-status.ts'
import '../plans/subscription.css'

const pagesAboutPhotos = new Set<string>([paths.gallery, paths.upload])

/** Above the pages of a signed-in user, except the big screen. */
export function Notices({ user }: { user: User }) {
  const { pathname } = useLocation()
  const { isPending } = usePlanStatus()
  return (
    <>
      {isPending && <span hidden data-notices-pending />}
      {user.is_admin && <EmailStatusNotice />}
      {/* Settings have it in a section of their own. */}
      {pathname !== paths.settings && <PaymentNotice />}
      {pagesAboutPhotos.has(pathname) && <KeptPhotosNotice />}
    </>
  )
}

const refetchMs = 60_000

/** Tells admins that guests get no emails: this server cannot send any, or has no disk space for their files. */
function EmailStatusNotice() {
  const api = useApi()
  const text = useText({ notices })
  const { data: readiness, isPending } = useQuery({
    queryKey: ['ready'],
    queryFn: ({ signal }) => api.call(ready, {}, { signal }),
    staleTime: refetchMs,
    refetchInterval: refetchMs,
    retry: false,
  })
  if (isPending) return <span hidden data-notices-pending />
  if (!readiness || readiness.mail === 'on') return null
  return (
    <div className="wrap frame__notice">
      <Note tone="warn">{readiness.mail === 'off' ? text.emailOff : text.emailsWait}</Note>
    </div>
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
