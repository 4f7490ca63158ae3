import type { User } from '@keepsnap/contract/accounts.ts'
import { Link } from 'react-router'
import { RedirectToLogin } from './guards.tsx'
import { useCurrentUser } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { paths } from '../../lib/paths.ts'
import { usePlanStatus } from '../plans/plan-status.ts'
import { hasFailed, LoadFailed, Skeleton } from '../../ui/QueryView.tsx'
import { account } from '../../messages/en/settings.ts'
import { states } from '../../messages/en/frame.ts'
import { Fact } from '../../ui/Fact.tsx'
import { EmailAddress } from '../../ui/EmailAddress.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import './settings.css'

/** The profile of the user. It has no guard: it shows a skeleton while loading, and redirects visitors itself. */
export function ProfilePage() {
  const text = useText({ account })
  const { profileFailed } = useText({ states })
  const current = useCurrentUser()
  usePageTitle(text.profileTitle)
  if (current.state === 'signed-out') return <RedirectToLogin />
  return (
    <div className="wrap wrap--narrow">
      <header className="page-head">
        <PageHeading>{text.profileTitle}</PageHeading>
      </header>
      {current.state === 'failed' ? (
        <LoadFailed sentence={profileFailed} busy={false} onRetry={() => void current.retry()} />
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
        <Fact name={text.username} translate="no">
          {user ? user.username : skeleton}
        </Fact>
        <Fact name={text.email}>{user ? <EmailAddress email={user.email} /> : skeleton}</Fact>
        <Fact name={text.tier}>{user && planName ? planName : skeleton}</Fact>
      </dl>
    </>
  )
}
