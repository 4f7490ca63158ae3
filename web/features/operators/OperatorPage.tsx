import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { UserFilter } from '@keepsnap/contract/operators.ts'
import { paths } from '../../lib/paths.ts'
import { ApiError } from '../../lib/api-errors.ts'
import { currentUserQuery, useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { keepScroll } from '../../lib/viewport.ts'
import { operator } from '../../messages/en/operators.ts'
import { states } from '../../messages/en/frame.ts'
import { Button } from '../../ui/Button.tsx'
import { AuditLogSection } from './AuditLogSection.tsx'
import { FailedPhotos, ReportedPhotos } from './PhotoSections.tsx'
import { EmailAlarm, HealthSection } from './HealthSection.tsx'
import { Overview, overviewQuery, PhotosPerDay, Queues } from './Overview.tsx'
import { operatorKey } from './section-parts.tsx'
import { UserDrawer } from './UserDrawer.tsx'
import { UsersSection } from './UsersSection.tsx'
import './operator.css'

// Chunks of their own: they are below what the first screen shows.
const IntegritySection = lazy(async () => ({
  default: (await import('./IntegritySection.tsx')).IntegritySection,
}))
const BusinessInvoices = lazy(async () => ({
  default: (await import('./BusinessInvoices.tsx')).BusinessInvoices,
}))
const LookupSection = lazy(async () => ({
  default: (await import('./LookupSection.tsx')).LookupSection,
}))
const SupportInbox = lazy(async () => ({
  default: (await import('./SupportInbox.tsx')).SupportInbox,
}))
const WithdrawalsSection = lazy(async () => ({
  default: (await import('./WithdrawalsSection.tsx')).WithdrawalsSection,
}))

/** The state of the installation, and the actions of operators. */
export function OperatorPage() {
  const text = useText({ operator })
  usePageTitle(text.title)
  useAdminRevocation()
  const [filter, setFilter] = useState<UserFilter>('all')
  const usersHeading = useRef<HTMLHeadingElement>(null)
  const drawer = useUserDrawer()
  const viewPastDue = (): void => {
    setFilter('past_due')
    usersHeading.current?.focus({ preventScroll: true })
    usersHeading.current?.scrollIntoView({ block: 'start' })
  }
  return (
    <div className="wrap operator">
      <OperatorHead />
      <EmailAlarm />
      <Overview />
      <div className="operator-columns">
        <div className="operator-column">
          <HealthSection onViewPastDue={viewPastDue} />
          <ReportedPhotos onOpenUser={drawer.open} />
        </div>
        <div className="operator-column">
          <PhotosPerDay />
          <Queues />
          <FailedPhotos onOpenUser={drawer.open} />
        </div>
      </div>
      <Suspense fallback={<div className="operator-section operator-inbox__place" />}>
        <IntegritySection />
      </Suspense>
      <Suspense fallback={<div className="operator-section operator-inbox__place" />}>
        <SupportInbox onOpenUser={drawer.open} />
      </Suspense>
      <Suspense>
        <WithdrawalsSection onOpenUser={drawer.open} />
      </Suspense>
      <Suspense fallback={<div className="operator-section operator-invoices__place" />}>
        <BusinessInvoices onOpenUser={drawer.open} />
      </Suspense>
      <UsersSection filter={filter} onFilter={setFilter} onOpen={drawer.open} headingRef={usersHeading} />
      <Suspense fallback={<div className="operator-section operator-lookup__place" />}>
        <LookupSection onOpenUser={drawer.open} />
      </Suspense>
      <AuditLogSection onOpenUser={drawer.open} />
      <UserDrawer userId={drawer.userId} onClose={drawer.close} />
    </div>
  )
}

function OperatorHead() {
  const text = useText({ operator })
  const { loading } = useText({ states })
  const format = useFormat()
  const queryClient = useQueryClient()
  const { data, isPending, isRefetchError } = useQuery(overviewQuery(useApi()))
  const refresh = useMutation({ mutationFn: () => queryClient.invalidateQueries({ queryKey: operatorKey }) })
  const clock = data && format.clock(Date.parse(data.as_of))
  return (
    <header className="page-head">
      <div>
        <PageHeading>{text.title}</PageHeading>
        <p
          className={`tabular-numbers ${isRefetchError ? 'error-text' : ''}`}
          role={isRefetchError ? 'alert' : undefined}
        >
          {clock === undefined ? '\u00A0' : isRefetchError ? text.outdated(clock) : text.asOf(clock)}
        </p>
        {isPending && <output className="visually-hidden">{loading}</output>}
      </div>
      <Button busy={refresh.isPending} onClick={() => refresh.mutate()}>
        {!refresh.isPending && <RotateCw className="icon" />}
        {text.refresh}
      </Button>
    </header>
  )
}

/** Refetches the user when the server answers 404: admin rights were revoked while the live connection was down. */
function useAdminRevocation(): void {
  const api = useApi()
  const queryClient = useQueryClient()
  const { error } = useQuery(overviewQuery(api))
  const isRefused = error instanceof ApiError && error.status === 404
  useEffect(() => {
    if (isRefused) void queryClient.invalidateQueries({ queryKey: currentUserQuery(api).queryKey })
  }, [isRefused, queryClient, api])
}

const openedFromPage = { ...keepScroll, fromPage: true }

/** The URL names the account in the drawer, so that Back closes it. */
function useUserDrawer() {
  const userId = useSearchParams()[0].get('user') || null
  const { key, state } = useLocation()
  const navigate = useNavigate()
  const closedEntry = useRef<string>(null)
  useEffect(() => {
    if (userId === null) closedEntry.current = null
  }, [userId])
  return {
    userId,
    open: (id: string) =>
      void navigate(`${paths.admin}?${new URLSearchParams({ user: id })}`, { state: openedFromPage }),
    close() {
      // Going back is asynchronous: a second close, such as by pressing Escape twice, would leave the page.
      if (closedEntry.current === key) return
      closedEntry.current = key
      if (state?.fromPage) void navigate(-1)
      else void navigate(paths.admin, { replace: true, state: keepScroll })
    },
  }
}
