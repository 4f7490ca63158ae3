import {
  type IntegrityCheck as Check,
  type IntegrityFinding,
  operatorIntegrity as getIntegrity,
  startIntegrityCheck,
} from '@keepsnap/contract/operators.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useId } from 'react'
import type { Api } from '../../lib/api.ts'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { Skeleton } from '../../ui/QueryView.tsx'
import { operator, operatorIntegrity } from '../../messages/en/operators.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { Nothing, operatorKey, refetchInterval, SectionView } from './section-parts.tsx'

const runningMs = 3_000

const integrityQuery = (api: Api) =>
  queryOptions({
    queryKey: [...operatorKey, 'integrity'],
    queryFn: ({ signal }) => api.call(getIntegrity, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.running ? runningMs : refetchInterval),
  })

/** The result of the last integrity check (rows, files, counts, jobs), and a button that starts one. */
export function IntegritySection() {
  const text = useText({ operatorIntegrity })
  const { errors } = useText({ operator })
  const heading = useId()
  const query = useQuery(integrityQuery(useApi()))
  return (
    <section aria-labelledby={heading} className="operator-section">
      <h2 id={heading}>{text.heading}</h2>
      <p className="small muted">{text.lead}</p>
      <SectionView query={query} failed={errors.integrity} loading={<Skeleton height="7rem" />}>
        {({ check, running }) => (
          <>
            {check ? <CheckResult check={check} /> : <Nothing icon={ShieldCheck}>{text.never}</Nothing>}
            <StartCheck running={running} />
          </>
        )}
      </SectionView>
    </section>
  )
}

function StartCheck({ running }: { running: boolean }) {
  const text = useText({ operatorIntegrity })
  const api = useApi()
  const queryClient = useQueryClient()
  const { queryKey } = integrityQuery(api)
  const start = useMutation({
    mutationFn: () => api.call(startIntegrityCheck, {}),
    onSuccess: (state) => queryClient.setQueryData(queryKey, state),
    // Another operator may have started one.
    onError: () => queryClient.invalidateQueries({ queryKey }),
  })
  const isBusy = running || start.isPending
  return (
    <div className="operator-integrity__start">
      {start.isError && !running && <Note tone="bad">{text.startFailed}</Note>}
      <Button busy={isBusy} onClick={() => !isBusy && start.mutate()}>
        {text.start}
      </Button>
      <output className="small muted">{running && text.running}</output>
    </div>
  )
}

function CheckResult({ check }: { check: Check }) {
  const text = useText({ operatorIntegrity })
  const { health } = useText({ operator })
  const format = useFormat()
  const { findings, objects, compared, removed, without_checksum: without, other_names: other } = check
  const sentences = [
    text.checked(format.count(objects), format.count(compared), format.dateTime(check.checked_at)),
    ...(removed > 0 ? [text.removed(removed, format.count(removed))] : []),
    ...(without > 0 ? [text.withoutChecksum(without, format.count(without))] : []),
    ...(other.count > 0 ? [text.otherNames(other.count, format.count(other.count), other.examples[0] ?? '')] : []),
  ]
  return (
    <>
      <p className="small muted tabular-numbers">{health.sentences(sentences)}</p>
      {findings.length === 0 ? (
        <Nothing>{text.good}</Nothing>
      ) : (
        <>
          <ul className="operator-health">
            {findings.map((finding) => (
              <FindingLine key={finding.kind} finding={finding} />
            ))}
          </ul>
          <p className="small muted">{text.repair}</p>
        </>
      )}
    </>
  )
}

function FindingLine({ finding: { kind, count, examples, since } }: { finding: IntegrityFinding }) {
  const text = useText({ operatorIntegrity })
  const format = useFormat()
  const { name, hint } = text.kinds[kind]
  return (
    <li>
      <span className="dot dot--bad" aria-hidden="true" />
      <div>
        <p className="operator-health__head">
          <b>{name}</b>
          <span className="operator-health__word operator-health__word--bad tabular-numbers">
            {format.count(count)}
          </span>
        </p>
        <p className="small muted">
          {hint} {since !== null && text.since(format.dateTime(since))}
        </p>
        {examples.length > 0 && (
          <details className="operator-integrity__examples">
            <summary className="link small">{text.first(examples.length)}</summary>
            <ul className="small muted" translate="no">
              {examples.map((example, index) => (
                <li key={index}>
                  <code>{example}</code>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  )
}
