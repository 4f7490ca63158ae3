import { ready } from '@keepsnap/contract/health.ts'
import { useQuery } from '@tanstack/react-query'
import { useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/parts.tsx'
import { frame } from '../../messages/en/frame.ts'
import { Note } from '../../ui/Note.tsx'

/** For admins: that guests cannot ask for photos, because this Keepsnap is on the internet and cannot send letters. */
export function MailNotice() {
  const api = useApi()
  const text = useText({ frame })
  // Changes with a restart only.
  const { data } = useQuery({
    queryKey: ['ready'],
    queryFn: ({ signal }) => api.call(ready, {}, { signal }),
    staleTime: Infinity,
    retry: false,
  })
  if (data?.mail !== 'off') return null
  return (
    <div className="wrap frame__notice">
      <Note tone="warn">{text.mailOff}</Note>
    </div>
  )
}
