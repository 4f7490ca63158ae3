import { ready } from '@keepsnap/contract/health.ts'
import { useQuery } from '@tanstack/react-query'
import { useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { notices } from '../../messages/en/notices.ts'
import { Note } from '../../ui/Note.tsx'
import { NoticesPending } from './NoticesPending.tsx'

const refetchMs = 60_000

/** Tells admins that guests get no emails: this server cannot send any, or has no disk space for their files. */
export function EmailStatusNotice() {
  const api = useApi()
  const text = useText({ notices })
  const { data: readiness, isPending } = useQuery({
    queryKey: ['ready'],
    queryFn: ({ signal }) => api.call(ready, {}, { signal }),
    staleTime: refetchMs,
    refetchInterval: refetchMs,
    retry: false,
  })
  if (isPending) return <NoticesPending />
  if (!readiness || readiness.mail === 'on') return null
  return (
    <div className="wrap frame__notice">
      <Note tone="warn">{readiness.mail === 'off' ? text.emailOff : text.emailsWait}</Note>
    </div>
  )
}
