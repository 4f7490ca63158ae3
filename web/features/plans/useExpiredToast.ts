import { useEffect } from 'react'
import { useSession } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { subscription } from '../../messages/en/subscription.ts'
import { useToast } from '../../ui/Toasts.tsx'

/** When the session expires, the app shows the sign-in page: a toast there says why. */
export function useExpiredToast(): void {
  const session = useSession()
  const toast = useToast()
  const { expired } = useText({ subscription }).errors
  useEffect(
    () =>
      session.subscribe(() => {
        if (session.state().endReason === 'expired') toast({ text: expired, tone: 'bad' })
      }),
    [session, toast, expired],
  )
}
