import type { User } from '@keepsnap/contract/accounts.ts'
import { Activity, CalendarDays, ChartColumn, LogOut, Mail, Printer, UserRound } from 'lucide-react'
import { useText } from '../../lib/i18n.tsx'
import { ReviewMenuLinks } from '../events/ReviewLink.tsx'
import { usePlanStatus } from '../plans/plan-status.ts'
import { frame } from '../../messages/en/frame.ts'
import { navItems, NavLinks } from './NavLinks.tsx'

const icons = {
  profile: UserRound,
  events: CalendarDays,
  photoRequests: Mail,
  insights: ChartColumn,
  print: Printer,
  admin: Activity,
}

interface Props {
  /** Null while the user is being loaded. */
  user: User | null
  availablePaths: readonly string[]
  openReports: number
  onSignOut: () => void
}

/** The contents of the account menu. */
export function AccountMenu({ user, availablePaths, openReports, onSignOut }: Props) {
  const text = useText({ frame })
  const items = navItems('account', availablePaths, icons)
  return (
    <>
      {user && <AccountSummary user={user} />}
      <NavLinks
        items={user?.is_admin ? [...items, ...navItems('admin', availablePaths, icons)] : items}
        withIcons
        extras={{ photoRequests: openReports > 0 && <ReportCount count={openReports} /> }}
      />
      <ReviewMenuLinks />
      <button type="button" onClick={onSignOut}>
        <LogOut className="icon" />
        {text.signOut}
      </button>
    </>
  )
}

/** Who is signed in, and on which plan. */
function AccountSummary({ user }: { user: User }) {
  const text = useText({ frame })
  const { data: status } = usePlanStatus()
  return (
    <p className="menu__account">
      <b translate="no">{user.username}</b>
      {status && <span className="muted">{text.plan(status.plan.name)}</span>}
      {!user.email_verified && <span className="muted">{text.unconfirmed}</span>}
    </p>
  )
}

function ReportCount({ count }: { count: number }) {
  const text = useText({ frame })
  return (
    <span className="badge badge--bad tabular-numbers menu__count">
      <span aria-hidden="true">{count}</span>
      <span className="visually-hidden">{text.reported(count)}</span>
    </span>
  )
}
