import { queryOptions, useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { type OperatorHealth, operatorHealth, type QueueState } from '@keepsnap/contract/operators.ts'
import type { Api } from '../../lib/api.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { Skeleton } from '../../ui/QueryView.tsx'
import { operator } from '../../messages/en/operators.ts'
import { Button } from '../../ui/Button.tsx'
import { durationOf, formatTimeOrDate } from './times.ts'
import { operatorKey, refetchInterval, RowsSkeleton, SectionView } from './section-parts.tsx'

export const healthQuery = (api: Api) =>
  queryOptions({
    queryKey: [...operatorKey, 'health'],
    queryFn: ({ signal }) => api.call(operatorHealth, {}, { signal }),
    refetchInterval,
  })

/** Shown while emails wait because the mail server refuses them. */
export function EmailAlarm() {
  const text = useText({ operator }).alarm
  const format = useFormat()
  const { data: health } = useQuery(healthQuery(useApi()))
  if (!health || !areEmailsRefused(health)) return null
  const { waiting_since, last_error } = health.email
  return (
    <div className="note note--bad operator-alarm" role="alert">
      <TriangleAlert className="icon" />
      <span>
        {waiting_since !== null && <b>{text.emails(formatTimeOrDate(waiting_since, health.as_of, format))}</b>}{' '}
        {text.hint} <q translate="no">{last_error}</q>
      </span>
    </div>
  )
}

/** The health of each part of the program. */
export function HealthSection({ onViewPastDue }: { onViewPastDue: () => void }) {
  const { health: text, errors } = useText({ operator })
  const format = useFormat()
  const heading = useId()
  const query = useQuery(healthQuery(useApi()))
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{text.heading}</h2>
      <SectionView
        query={query}
        failed={errors.health}
        loading={
          <RowsSkeleton rows={7} className="operator-rows operator-rows--health">
            {() => (
              <>
                <Skeleton width="30%" height="1rem" />
                <Skeleton width="85%" height="0.8rem" />
              </>
            )}
          </RowsSkeleton>
        }
      >
        {(health) => (
          <ul className="operator-health">
            {healthLines(health, { text, format }).map(({ part, tone, word, sentence }) => (
              <li key={part}>
                <span className={`dot dot--${tone}`} aria-hidden="true" />
                <div>
                  <p className="operator-health__head">
                    <b>{text[part].name}</b>
                    <span className={`operator-health__word operator-health__word--${tone}`}>{word}</span>
                  </p>
                  <p className="small muted tabular-numbers">{sentence}</p>
                </div>
                {part === 'billing' && health.billing.past_due > 0 && (
                  <Button tone="ghost" aria-label={text.billing.viewPastDue} onClick={onViewPastDue}>
                    {text.billing.view}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </SectionView>
    </section>
  )
}

/** `off`: has no health, because it is not used or not measured yet. */
export type Tone = 'ok' | 'warn' | 'bad' | 'off'

/** The health of a part of the program: a word, and a sentence with numbers. */
export interface HealthLine {
  part: 'queues' | 'email' | 'billing' | 'integrity' | 'backup' | 'removals' | 'operator' | 'availability'
  tone: Tone
  word: string
  sentence: string
}

type Text = Catalogue['operator']['health']
/** What the texts of a line are made with. */
interface Words {
  text: Text
  format: Format
}

/** Low-priority jobs, such as deletions, may wait this long while many photos are uploaded. */
const behindSeconds = 60
const stuckSeconds = 600

/** Emails that are due are sent within seconds. */
const emailsLateMs = 10 * 60_000

export function healthLines(health: OperatorHealth, words: Words): HealthLine[] {
  return [
    queueLine(health, words),
    emailLine(health, words),
    billingLine(health, words),
    integrityLine(health, words),
    backupLine(health, words),
    ...removalsLine(health, words),
    operatorLine(health, words),
    availabilityLine(health, words),
  ]
}

export const sumOf = (queues: readonly QueueState[], field: 'waiting' | 'running' | 'failed'): number =>
  queues.reduce((sum, queue) => sum + queue[field], 0)

function queueLine({ queues, processing }: OperatorHealth, { text, format }: Words): HealthLine {
  const { queues: line } = text
  const waiting = sumOf(queues, 'waiting')
  const failed = sumOf(queues, 'failed')
  const oldest = Math.max(0, ...queues.map(({ oldest_waiting_seconds: seconds }) => seconds ?? 0))
  const delay: Tone = oldest >= stuckSeconds ? 'bad' : oldest >= behindSeconds ? 'warn' : 'ok'
  const { median_seconds: median, slowest_seconds: slowest } = processing
  const inWords = (seconds: number): string => durationOf(seconds, text, format)
  const jobs = [
    waiting === 0 ? line.none : line.waiting(format.count(waiting), inWords(oldest)),
    line.running(format.count(sumOf(queues, 'running'))),
  ]
  const photos =
    processing.photos === 0
      ? [line.idle]
      : [
          line.processed(processing.photos, format.count(processing.photos)),
          ...(median === null || slowest === null ? [] : [line.speed(inWords(median), inWords(slowest))]),
        ]
  const onlyFailed = delay === 'ok' && failed > 0
  return {
    part: 'queues',
    tone: onlyFailed ? 'warn' : delay,
    word: onlyFailed ? line.failedWord(failed, format.count(failed)) : line.words[delay],
    sentence: text.sentences([text.parts(jobs), text.parts(photos)]),
  }
}

/** With this many emails waiting and a failed last attempt, the mail server is the cause, not a single mailbox. */
const refusedEmails = 5

/** Whether emails wait because the mail server refuses them, or cannot be reached. */
const areEmailsRefused = ({ email }: OperatorHealth): boolean =>
  email.kind === 'smtp' && email.waiting >= refusedEmails && email.last_error !== null

function emailState(health: OperatorHealth, { words }: Text['email']): Pick<HealthLine, 'tone' | 'word'> {
  const { email, as_of: now } = health
  if (areEmailsRefused(health)) return { tone: 'bad', word: words.bad }
  const waitingMs = email.waiting_since === null ? 0 : Date.parse(now) - Date.parse(email.waiting_since)
  if (email.waiting > 0 && email.last_error !== null) return { tone: 'warn', word: words.retried }
  if (email.waiting > 0 && waitingMs > emailsLateMs) return { tone: 'warn', word: words.warn }
  return { tone: 'ok', word: email.kind === 'outbox' ? words.outbox : words.ok }
}

function emailLine(health: OperatorHealth, { text, format }: Words): HealthLine {
  const { email, as_of: now } = health
  const { email: line } = text
  if (email.kind === 'off') return { part: 'email', tone: 'warn', word: line.words.off, sentence: line.off }
  const waiting =
    email.waiting > 0 && email.waiting_since !== null
      ? line.waiting(format.count(email.waiting), formatTimeOrDate(email.waiting_since, now, format))
      : line.none
  const counts = text.parts([
    line.sent(format.count(email.sent_today)),
    line.failed(format.count(email.failed_today)),
    waiting,
  ])
  const sentences = [
    ...(email.kind === 'outbox' ? [line.outbox] : []),
    counts,
    ...(email.last_error === null ? [] : [line.lastError(email.last_error)]),
  ]
  return { part: 'email', ...emailState(health, line), sentence: text.sentences(sentences) }
}

function billingLine({ billing, as_of: now }: OperatorHealth, { text, format }: Words): HealthLine {
  const { billing: line } = text
  if (billing.payments === 'off') return { part: 'billing', tone: 'off', word: line.words.off, sentence: line.off }
  const { compared_at, past_due, open_refunds, last_webhook_at, unprocessed_events: events } = billing
  const mismatches = billing.mismatches ?? 0
  const counts = [
    line.pastDue(past_due, format.count(past_due)),
    line.events(events, format.count(events)),
    ...(billing.open_disputes > 0 ? [line.disputes(billing.open_disputes, format.count(billing.open_disputes))] : []),
    ...(open_refunds > 0 ? [line.refunds(open_refunds, format.count(open_refunds))] : []),
  ]
  const sentences = [
    ...(billing.refused_because === null ? [] : [line.refused(billing.refused_because)]),
    ...(billing.check_warning === null ? [] : [line.warning(billing.check_warning)]),
    ...(billing.unreachable_because === null ? [] : [line.unreachable(billing.unreachable_because)]),
    ...(billing.payments === 'demo' ? [line.demo] : []),
    compared_at === null ? line.notCompared : line.compared(formatTimeOrDate(compared_at, now, format)),
    text.parts(counts),
    ...(last_webhook_at === null ? [] : [line.lastEvent(formatTimeOrDate(last_webhook_at, now, format))]),
  ]
  const state: Pick<HealthLine, 'tone' | 'word'> =
    billing.refused_because !== null
      ? { tone: 'bad', word: line.words.refused }
      : mismatches > 0
        ? { tone: 'bad', word: line.differ(mismatches, format.count(mismatches)) }
        : past_due > 0
          ? { tone: 'warn', word: line.pastDueWord(past_due, format.count(past_due)) }
          : billing.check_warning !== null
            ? { tone: 'warn', word: line.words.warning }
            : compared_at === null
              ? { tone: 'off', word: line.words.open }
              : { tone: 'ok', word: line.words.ok }
  return { part: 'billing', ...state, sentence: text.sentences(sentences) }
}

function integrityLine({ integrity, as_of: now }: OperatorHealth, { text, format }: Words): HealthLine {
  const { integrity: line } = text
  const { checked_at, objects } = integrity
  if (checked_at === null) {
    return { part: 'integrity', tone: 'off', word: line.words.off, sentence: line.notChecked }
  }
  const missing = integrity.missing ?? 0
  const unknown = integrity.unknown ?? 0
  const sentences = [
    ...(missing > 0 ? [line.missing(missing, format.count(missing))] : []),
    line.checked(format.count(objects ?? 0), formatTimeOrDate(checked_at, now, format)),
    ...(unknown > 0 ? [line.unknown(unknown, format.count(unknown))] : []),
  ]
  return {
    part: 'integrity',
    tone: missing > 0 ? 'bad' : 'ok',
    word: missing > 0 ? line.missingWord(missing, format.count(missing)) : line.words.ok,
    sentence: text.sentences(sentences),
  }
}

/** The same as in the alert KeepsnapNoBackup. */
const backupAgeMaxMs = 2 * 86_400_000

function backupLine({ backup, as_of: now }: OperatorHealth, { text, format }: Words): HealthLine {
  const { backup: line } = text
  const { finished_at, seconds, since, damaged } = backup
  const isLate = Date.parse(now) - Date.parse(finished_at ?? since) > backupAgeMaxMs
  if (finished_at === null || seconds === null)
    return {
      part: 'backup',
      tone: isLate ? 'bad' : 'warn',
      word: line.words.never,
      sentence: text.sentences([line.none(format.date(since)), line.hint]),
    }
  const made = text.parts([
    line.finished(formatTimeOrDate(finished_at, now, format)),
    line.took(durationOf(seconds, text, format)),
  ])
  if (damaged > 0) {
    const sentence = text.sentences([line.damaged(damaged, format.count(damaged)), made])
    return { part: 'backup', tone: 'bad', word: line.words.damaged, sentence }
  }
  return isLate
    ? { part: 'backup', tone: 'bad', word: line.words.old, sentence: text.sentences([made, line.hint]) }
    : { part: 'backup', tone: 'ok', word: line.words.ok, sentence: made }
}

/** No line while nothing waits, which is nearly always. */
function removalsLine({ removals, as_of: now }: OperatorHealth, { text, format }: Words): HealthLine[] {
  const { removals: line } = text
  const { photos, accounts, stopped_at: stoppedAt } = removals
  if (stoppedAt === null && photos === 0) return []
  const sentences = [
    ...(stoppedAt === null ? [] : [line.stopped(formatTimeOrDate(stoppedAt, now, format))]),
    ...(photos === 0 ? [] : [line.photos(format.count(photos), format.count(accounts))]),
    line.hint,
  ]
  const state: Pick<HealthLine, 'tone' | 'word'> =
    stoppedAt === null ? { tone: 'warn', word: line.words.waiting } : { tone: 'bad', word: line.words.stopped }
  return [{ part: 'removals', ...state, sentence: text.sentences(sentences) }]
}

/** The warning that the server prints at startup, for as long as it applies. */
function operatorLine({ operator }: OperatorHealth, { text, format }: Words): HealthLine {
  const { operator: line } = text
  const { sample_settings: settings, is_public: isPublic } = operator
  if (settings.length === 0) return { part: 'operator', tone: 'ok', word: line.words.ok, sentence: line.named }
  const names = new Intl.ListFormat(format.locale).format(settings)
  return isPublic
    ? {
        part: 'operator',
        tone: 'warn',
        word: line.words.samples,
        sentence: text.sentences([line.samples, line.set(names)]),
      }
    : { part: 'operator', tone: 'off', word: line.words.samples, sentence: line.private(names) }
}

const thirtyDaysMs = 30 * 86_400_000

function availabilityLine({ availability, as_of: now }: OperatorHealth, { text, format }: Words): HealthLine {
  const { availability: line } = text
  const { percent, since, target_percent: target } = availability
  const exact = new Intl.NumberFormat(format.locale, {
    style: 'percent',
    maximumFractionDigits: 2,
    // 99.899 % is not 99.9 %.
    roundingMode: 'floor',
  })
  const targetText = line.target(exact.format(target / 100))
  if (percent === null) return { part: 'availability', tone: 'off', word: line.off, sentence: targetText }
  const isWhole = since === null || Date.parse(now) - Date.parse(since) >= thirtyDaysMs
  return {
    part: 'availability',
    tone: percent >= target ? 'ok' : 'bad',
    word: exact.format(percent / 100),
    sentence: text.sentences([isWhole ? line.lastDays : line.since(format.date(since)), targetText]),
  }
}
