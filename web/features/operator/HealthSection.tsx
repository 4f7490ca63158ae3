import type { OperatorHealth } from '@keepsnap/contract/operator.ts'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { hasFailed } from '../../lib/query-failure.ts'
import { operator } from '../../messages/en/operator.ts'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { areEmailsRefused, healthLines, type HealthLine } from './health-lines.ts'
import { SectionLoadFailed } from './SectionLoadFailed.tsx'
import { healthQuery } from './queries.ts'
import { formatTimeOrDate } from './times.ts'

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
  const text = useText({ operator })
  const heading = useId()
  const query = useQuery(healthQuery(useApi()))
  const { data, isFetching, refetch } = query
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{text.health.heading}</h2>
      {data ? (
        <HealthList health={data} onViewPastDue={onViewPastDue} />
      ) : hasFailed(query) ? (
        <SectionLoadFailed sentence={text.errors.health} busy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <HealthSkeleton />
      )}
    </section>
  )
}

function HealthList({ health, onViewPastDue }: { health: OperatorHealth; onViewPastDue: () => void }) {
  const { health: text } = useText({ operator })
  const lines = healthLines(health, { text, format: useFormat() })
  return (
    <ul className="operator-health">
      {lines.map((line) => (
        <li key={line.part}>
          <span className={`dot dot--${line.tone}`} aria-hidden="true" />
          <HealthText line={line} />
          {line.part === 'billing' && health.billing.past_due > 0 && (
            <Button tone="ghost" aria-label={text.billing.viewPastDue} onClick={onViewPastDue}>
              {text.billing.view}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function HealthText({ line: { part, tone, word, sentence } }: { line: HealthLine }) {
  const { health: text } = useText({ operator })
  return (
    <div>
      <p className="operator-health__head">
        <b>{text[part].name}</b>
        <span className={`operator-health__word operator-health__word--${tone}`}>{word}</span>
      </p>
      <p className="small muted tabular-numbers">{sentence}</p>
    </div>
  )
}

function HealthSkeleton() {
  return (
    <div className="operator-rows operator-rows--health" aria-hidden="true">
      {Array.from({ length: 7 }, (_, index) => (
        <div key={index}>
          <Skeleton width="30%" height="1rem" />
          <Skeleton width="85%" height="0.8rem" />
        </div>
      ))}
    </div>
  )
}
