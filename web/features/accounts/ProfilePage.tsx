import type { User } from '@keepsnap/contract/accounts.ts'
import { TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { RedirectToLogin } from './guards.tsx'
import { useCurrentUser } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { paths } from '../../lib/paths.ts'
import { usePlanStatus } from '../plans/plan-status.ts'
import { hasFailed, Skeleton } from '../../ui/QueryView.tsx'
import { account } from '../../messages/en/settings.ts'
import { states } from '../../messages/en/frame.ts'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import './settings.css'

/** The profile of the user. It has no guard: it shows a skeleton while loading, and redirects visitors itself. */
export function ProfilePage() {
  const text = useText({ account })
  const { tryAgain, profileFailed } = useText({ states })
  const current = useCurrentUser()
  usePageTitle(text.profileTitle)
  if (current.state === 'signed-out') return <RedirectToLogin />
  return (
    <div className="wrap wrap--narrow">
      <header className="page-head">
        <PageHeading>{text.profileTitle}</PageHeading>
      </header>
      {current.state === 'failed' ? (
        <div className="card state" role="alert">
          <TriangleAlert className="icon state__icon" />
          <p>{profileFailed}</p>
          <Button onClick={() => void current.retry()}>{tryAgain}</Button>
        </div>
      ) : (
        <div className="card card--pad profile">
          <ProfileDetails user={current.user} />
          <Link className={buttonClass({ tone: 'primary' })} to={paths.settings}>
            {text.edit}
          </Link>
        </div>
      )}
    </div>
  )
}

function ProfileDetails({ user }: { user: User | null }) {
  const text = useText({ account })
  const { loading } = useText({ states })
  const planStatus = usePlanStatus()
  // As long as the plan cannot be fetched, its tier is better than nothing.
  const planName =
    planStatus.data?.plan.name ?? (hasFailed(planStatus) && user ? text.tiers[user.subscription_tier] : undefined)
  const skeleton = <Skeleton width="12rem" />
  return (
    <>
      {!user && <output className="visually-hidden">{loading}</output>}
      <dl className="account-details" aria-busy={!user || !planName}>
        <div>
          <dt>{text.username}</dt>
          <dd translate="no">{user ? user.username : skeleton}</dd>
        </div>
        <div>
          <dt>{text.email}</dt>
          <dd>{user ? <EmailAddress email={user.email} /> : skeleton}</dd>
        </div>
        <div>
          <dt>{text.tier}</dt>
          <dd>{user && planName ? planName : skeleton}</dd>
        </div>
      </dl>
    </>
  )
}
