import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Circle, Clock, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { billingLimits } from '@keepsnap/contract/limits.ts'
import {
  createTestCode,
  getTestEmail,
  sendTestEmail,
  type TestCode,
  type TestEmail,
} from '@keepsnap/contract/guests.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import type { Format } from '../../lib/format.ts'
import { paths, pricingSection, subscriptionSection } from '../../lib/paths.ts'
import { photosLeft, storageLeftBytes, usePlanStatus } from '../plans/plan-status.ts'
import type { Catalogue } from '../../messages/en.ts'
import { useApi, useMediaUrl } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/api-errors.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useNow } from '../../lib/time.ts'
import { hasFailed } from '../../ui/QueryView.tsx'
import { useServerSentence } from '../../lib/server-sentences.ts'
import { readiness } from '../../messages/en/guests.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { useLive, useLiveStatus } from '../live/live-context.ts'
import './guests.css'

/** `idle`: the check has not been started. */
type CheckState = 'ok' | 'attention' | 'pending' | 'idle'
interface CheckResult {
  state: CheckState
  sentence: string
  /** Where to do something about it. */
  action?: { to: string; label: string }
}
interface Localization {
  text: Catalogue['readiness']
  format: Format
}

const [warningPercent, fullPercent] = billingLimits.usageWarningPercent
/** A plan that ends within this time may end before the evening does. */
const soonMs = 7 * 24 * 60 * 60 * 1000

export function photosResult(
  status: SubscriptionStatus,
  { text: { photos: text, actions }, format }: Localization,
): CheckResult {
  const left = photosLeft(status)
  const until = format.date(status.month_ends_at)
  if (status.usage_percentage.photos < warningPercent)
    return { state: 'ok', sentence: text.ok(format.count(left), until) }
  const sentence =
    left === 0 ? text.none(until) : text.few(format.count(left), format.count(status.plan_limits.max_photos), until)
  return { state: 'attention', sentence, action: { to: pricingSection, label: actions.plans } }
}

export function storageResult(
  status: SubscriptionStatus,
  { text: { storage: text, actions }, format }: Localization,
): CheckResult {
  const left = format.size(storageLeftBytes(status))
  const { storage: percent } = status.usage_percentage
  if (percent < warningPercent) return { state: 'ok', sentence: text.ok(left) }
  const sentence =
    percent >= fullPercent ? text.none : text.few(left, format.size(status.plan_limits.storage_gb * 1024 ** 3))
  return { state: 'attention', sentence, action: { to: paths.gallery, label: actions.gallery } }
}

export function planResult(status: SubscriptionStatus, now: number, { text, format }: Localization): CheckResult {
  const { plan, subscription, complimentary, until } = status
  const action = { to: subscriptionSection, label: text.actions.subscription }
  const endsAt = (at: string, next: string): CheckResult =>
    Date.parse(at) - now < soonMs
      ? { state: 'attention', sentence: text.plan.endsSoon(plan.name, format.date(at), next), action }
      : { state: 'ok', sentence: text.plan.ends(plan.name, format.date(at)) }
  if (subscription?.status === 'past_due') {
    const goesOnUntil = format.date(subscription.grace_until ?? subscription.current_period_end)
    return { state: 'attention', sentence: text.plan.pastDue(subscription.plan.name, goesOnUntil), action }
  }
  if (complimentary?.id === plan.id && until !== null)
    return endsAt(until, subscription?.cancel_at_period_end === false ? subscription.plan.name : plans.free.name)
  if (subscription?.plan.id !== plan.id) return { state: 'ok', sentence: text.plan.free(plan.name) }
  if (subscription.cancel_at_period_end)
    return endsAt(subscription.current_period_end, complimentary?.name ?? plans.free.name)
  return { state: 'ok', sentence: text.plan.renews(plan.name, format.date(subscription.current_period_end)) }
}

/** `email`: the test email of this check; undefined while it is being asked for. */
export function emailResult(
  email: TestEmail | undefined,
  address: string,
  { text: { email: text }, format }: Localization,
): CheckResult {
  if (!email || email.state === 'none') return { state: 'pending', sentence: text.sending }
  if (email.state === 'failed') return { state: 'attention', sentence: text.failed(email.reason ?? text.failedUnknown) }
  if (email.state === 'queued')
    return email.reason === null
      ? { state: 'pending', sentence: text.sending }
      : { state: 'attention', sentence: text.delayed(email.reason) }
  const time = format.time(email.sent_at ?? '')
  return email.mail === 'outbox'
    ? { state: 'attention', sentence: text.outbox(time) }
    : { state: 'ok', sentence: text.sent(time, address) }
}

const pollMs = 2_000
/** How often the page compares times with the clock. */
const tickMs = 5_000
const testEmailKey = ['test-email'] as const

/** Sends a test email, and polls its delivery. */
function useTestEmail() {
  const api = useApi()
  const queryClient = useQueryClient()
  const sending = useMutation({
    mutationFn: () => api.call(sendTestEmail, {}),
    async onSuccess(email) {
      await queryClient.cancelQueries({ queryKey: testEmailKey })
      queryClient.setQueryData<TestEmail>(testEmailKey, email)
    },
  })
  const query = useQuery({
    queryKey: testEmailKey,
    queryFn: ({ signal }) => api.call(getTestEmail, {}, { signal }),
    enabled: sending.isSuccess,
    refetchInterval: ({ state }) => (state.data?.state === 'queued' ? pollMs : false),
    retry: false,
  })
  return { send: () => sending.mutate(), error: sending.error, isSending: sending.isPending, query }
}

/**
 * The section "Ready for tonight?" of the settings: checks what an event needs, which is emails (to `email`, the user's
 * address), a code that phones can open, quotas, the plan and the live connection.
 */
export function ReadinessSection({ email }: { email: string }) {
  const text = useText({ readiness })
  const [startedAt, setStartedAt] = useState<number | null>(null)
  const testEmail = useTestEmail()
  const api = useApi()
  const testCode = useMutation({ mutationFn: () => api.call(createTestCode, {}) })
  const openedAt = useCodeOpenedAt(startedAt)
  const now = useNow(tickMs)
  const start = (): void => {
    setStartedAt(Date.now())
    testEmail.send()
    testCode.mutate()
  }
  return (
    <>
      <div className="row">
        <Button
          tone={startedAt === null ? 'primary' : 'quiet'}
          busy={testEmail.isSending || testCode.isPending}
          onClick={start}
        >
          {startedAt === null ? text.start : text.again}
        </Button>
      </div>
      <ul className="readiness" aria-label={text.results}>
        <CheckLine title={text.email.title} result={useEmailResult(testEmail, email, startedAt !== null)} />
        <CodeLine code={testCode} openedAt={openedAt} isStarted={startedAt !== null} now={now} />
        <PlanLines now={now} />
        <ConnectionLine />
      </ul>
    </>
  )
}

const icons = { ok: Check, attention: TriangleAlert, pending: Clock, idle: Circle }

function CheckLine({ title, result, children }: { title: string; result: CheckResult; children?: ReactNode }) {
  const text = useText({ readiness })
  const { state, sentence, action } = result
  const Icon = icons[state]
  return (
    <li className={`readiness__line readiness__line--${state}`}>
      <Icon className="icon" />
      <div className="readiness__words">
        <p>
          <b>{title}</b>{' '}
          <span className="visually-hidden">
            <span>{text.states[state]}</span>:{' '}
          </span>
        </p>
        <output className="readiness__sentence tabular-numbers">{sentence}</output>
        {children}
      </div>
      {action && (
        <Link className={buttonClass({})} to={action.to}>
          {action.label}
        </Link>
      )}
    </li>
  )
}

function useEmailResult(
  { error, isSending, query }: ReturnType<typeof useTestEmail>,
  address: string,
  isStarted: boolean,
): CheckResult {
  const text = useText({ readiness })
  const format = useFormat()
  const translate = useServerSentence()
  if (!isStarted) return { state: 'idle', sentence: text.email.idle(address) }
  if (error) return { state: 'attention', sentence: errorMessage(error, text.email.notSent) }
  if (query.isError && !isSending) return { state: 'attention', sentence: text.email.unknown }
  const email = query.data && { ...query.data, reason: translate(query.data.reason) }
  return emailResult(isSending ? undefined : email, address, { text, format })
}

interface CodeLineProps {
  /** A code to try with a phone. */
  code: { data: TestCode | undefined; error: Error | null }
  openedAt: number | null
  isStarted: boolean
  now: number
}

function CodeLine({ code: { data: code, error }, openedAt, isStarted, now }: CodeLineProps) {
  const text = useText({ readiness })
  const format = useFormat()
  const isExpired = code !== undefined && Date.parse(code.expires_at) < now
  const result = ((): CheckResult => {
    if (!isStarted) return { state: 'idle', sentence: text.code.idle }
    if (openedAt !== null) return { state: 'ok', sentence: text.code.opened(format.clock(openedAt)) }
    if (error) return { state: 'attention', sentence: errorMessage(error, text.code.failed) }
    if (isExpired) return { state: 'attention', sentence: text.code.expired }
    return { state: 'pending', sentence: text.code.scan }
  })()
  return (
    <CheckLine title={text.code.title} result={result}>
      {isStarted && openedAt === null && !error && !isExpired && <CodePicture code={code} />}
    </CheckLine>
  )
}

function CodePicture({ code }: { code: TestCode | undefined }) {
  const text = useText({ readiness })
  const media = useMediaUrl()
  const url = code && media(code.image_url)
  return (
    <div className="readiness__code">
      {url ? (
        <img src={url} width="176" height="176" alt={text.code.alt} />
      ) : (
        <span className="skeleton" aria-hidden="true" />
      )}
      <p className="small muted">{text.code.hint}</p>
    </div>
  )
}

function PlanLines({ now }: { now: number }) {
  const text = useText({ readiness })
  const format = useFormat()
  const query = usePlanStatus()
  const status = query.data
  if (!status) {
    const result: CheckResult = hasFailed(query)
      ? { state: 'attention', sentence: text.planUnknown }
      : { state: 'pending', sentence: text.states.pending }
    return <CheckLine title={text.plan.title} result={result} />
  }
  const localization = { text, format }
  return (
    <>
      <CheckLine title={text.photos.title} result={photosResult(status, localization)} />
      <CheckLine title={text.storage.title} result={storageResult(status, localization)} />
      <CheckLine title={text.plan.title} result={planResult(status, now, localization)} />
    </>
  )
}

function ConnectionLine() {
  const text = useText({ readiness })
  const format = useFormat()
  const status = useLiveStatus()
  const at = useLive()?.lastContactAt() ?? null
  const isConnecting = status === 'connecting' || status === 'reconnecting' || status === 'error'
  const result: CheckResult =
    status === 'connected' && at !== null
      ? { state: 'ok', sentence: text.connection.ok(format.clock(at)) }
      : status === 'connected' || isConnecting
        ? { state: 'pending', sentence: text.connection.connecting }
        : { state: 'attention', sentence: text.connection.lost }
  return <CheckLine title={text.connection.title} result={result} />
}

/** When a device opened the code of the check that began at this time. */
function useCodeOpenedAt(startedAt: number | null): number | null {
  const live = useLive()
  const [openedAt, setOpenedAt] = useState<number | null>(null)
  useEffect(() => live?.onMessage(({ action }) => action === 'test_code_opened' && setOpenedAt(Date.now())), [live])
  return openedAt !== null && startedAt !== null && openedAt >= startedAt ? openedAt : null
}
