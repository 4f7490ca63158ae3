import { lazy, useState } from 'react'
import { RedirectToLogin } from '../accounts/guards.tsx'
import { useCurrentUser } from '../../lib/app-services.tsx'
import { Loading } from '../../ui/QueryView.tsx'
import { NotFoundPage } from '../site/NotFoundPage.tsx'

// A chunk of its own: nobody but an admin loads it.
const OperatorPage = lazy(async () => ({ default: (await import('./OperatorPage.tsx')).OperatorPage }))

/** The page for operators. For everybody but an admin it does not exist. */
export function AdminPage() {
  const { state, user } = useCurrentUser()
  const [wasShown, setWasShown] = useState(false)
  const isAdmin = user?.is_admin === true
  if (isAdmin && !wasShown) setWasShown(true)
  if (isAdmin) return <OperatorPage />
  if (state === 'loading') return <Loading />
  // The session of an admin has ended on this page.
  if (state === 'signed-out' && wasShown) return <RedirectToLogin />
  return <NotFoundPage />
}
