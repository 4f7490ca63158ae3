import type { TestCode } from '@keepsnap/contract/readiness.ts'
import { Check, Circle, Clock, TriangleAlert } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { errorMessage } from '../../lib/error-message.ts'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { useNow } from '../../lib/now.ts'
import { usePlanStatus } from '../../lib/plan-status.ts'
import { hasFailed } from '../../lib/query-failure.ts'
import { useServerSentence } from '../../lib/server-sentences.ts'
import { readiness } from '../../messages/en/readiness.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { emailResult, photosResult, planResult, storageResult, type CheckResult } from './check-results.ts'
import { useTestCode, useTestEmail } from './queries.ts'
import './readiness.css'

/** The live connection of this tab. */
export interface LiveContact {
  status: 'connected' | 'connecting' | 'lost'
  /** Milliseconds; null before the first contact. */
  lastContactAt: () => number | null
  /** Calls back when a device has opened the user's test code. */
  onCodeOpened: (listener: () => void) => () => void
}

interface Props {
  /** The user's email address. */
  email: string
  live: LiveContact
}

/** Checks what an event needs: emails, a code that phones can open, quotas, the plan and the live connection. */
export function ReadinessCheck({ email, live }: Props) {
  const text = useText({ readiness })
  const [startedAt, setStartedAt] = useState<number | null>(null)
  const testEmail = useTestEmail()
  const testCode = useTestCode()
  const openedAt = useCodeOpenedAt(live, startedAt)
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
        <ConnectionLine live={live} />
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
  code: ReturnType<typeof useTestCode>
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

function ConnectionLine({ live: { status, lastContactAt } }: { live: LiveContact }) {
  const text = useText({ readiness })
  const format = useFormat()
  const at = lastContactAt()
  const result: CheckResult =
    status === 'connected' && at !== null
      ? { state: 'ok', sentence: text.connection.ok(format.clock(at)) }
      : status === 'lost'
        ? { state: 'attention', sentence: text.connection.lost }
        : { state: 'pending', sentence: text.connection.connecting }
  return <CheckLine title={text.connection.title} result={result} />
}

/** When a device opened the code of the check that began at this time. */
function useCodeOpenedAt({ onCodeOpened }: LiveContact, startedAt: number | null): number | null {
  const [openedAt, setOpenedAt] = useState<number | null>(null)
  useEffect(() => onCodeOpened(() => setOpenedAt(Date.now())), [onCodeOpened])
  return openedAt !== null && startedAt !== null && openedAt >= startedAt ? openedAt : null
}

const tickMs = 5_000
