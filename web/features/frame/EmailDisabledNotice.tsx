import { ready } from '@keepsnap/contract/health.ts'
import { useQuery } from '@tanstack/react-query'
import { useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { notices } from '../../messages/en/notices.ts'
import { Note } from '../../ui/Note.tsx'

/** Tells admins that guests cannot request photos, because this server is on the internet and cannot send emails. */
export function EmailDisabledNotice() {
  const api = useApi()
  const text = useText({ notices })
  // Changes only when the server restarts.
  const { data: readiness } = useQuery({
    queryKey: ['ready'],
    queryFn: ({ signal }) => api.call(ready, {}, { signal }),
    staleTime: Infinity,
    retry: false,
  })
  if (readiness?.mail !== 'off') return null
  return (
    <div className="wrap frame__notice">
      <Note tone="warn">{text.emailOff}</Note>
    </div>
  )
}
