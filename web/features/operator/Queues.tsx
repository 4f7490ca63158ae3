import type { QueueState } from '@keepsnap/contract/operator.ts'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useId } from 'react'
import { useApi } from '../../lib/app-services.tsx'
import { useFormat, useText } from '../../lib/i18n.tsx'
import { hasFailed } from '../../lib/query-failure.ts'
import { operator } from '../../messages/en/operator.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { healthQuery } from './queries.ts'
import { durationOf } from './times.ts'

const isIdle = ({ waiting, running, failed }: QueueState): boolean => waiting + running + failed === 0

/** The jobs by kind; kinds without any are collapsed. Nothing after a failure, which the health section reports. */
export function Queues() {
  const text = useText({ operator }).queues
  const heading = useId()
  const query = useQuery(healthQuery(useApi()))
  const { data } = query
  if (!data && hasFailed(query)) return null
  return (
    <section className="operator-queues" aria-labelledby={heading}>
      <h2 id={heading}>{text.heading}</h2>
      {data ? <QueueList queues={data.queues} /> : <Skeleton height="4.5rem" />}
    </section>
  )
}

function QueueList({ queues }: { queues: readonly QueueState[] }) {
  const text = useText({ operator }).queues
  const idleQueues = queues.filter(isIdle)
  const busyQueues = queues.filter((queue) => !isIdle(queue))
  return (
    <>
      {busyQueues.length > 0 ? (
        <QueueTable queues={busyQueues} />
      ) : (
        <p className="operator-empty">
          <CircleCheck className="icon" />
          {text.none}
        </p>
      )}
      {idleQueues.length > 0 && (
        <details>
          <summary className="link">{text.idle(idleQueues.length)}</summary>
          <ul className="operator-queues__idle small muted" translate="no">
            {idleQueues.map(({ name }) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function QueueTable({ queues }: { queues: readonly QueueState[] }) {
  const { queues: text, health } = useText({ operator })
  const format = useFormat()
  const { columns } = text
  return (
    <div className="operator-queues__box">
      <table className="table tabular-numbers" aria-label={text.heading}>
        <thead>
          <tr>
            <th scope="col">{columns.queue}</th>
            <th scope="col">{columns.waiting}</th>
            <th scope="col">{columns.running}</th>
            <th scope="col">{columns.failed}</th>
            <th scope="col">{columns.oldest}</th>
          </tr>
        </thead>
        <tbody>
          {queues.map(({ name, waiting, running, failed, oldest_waiting_seconds: oldest }) => (
            <tr key={name}>
              <th scope="row" translate="no">
                <code>{name}</code>
              </th>
              <td>{format.count(waiting)}</td>
              <td>{format.count(running)}</td>
              <td className={failed > 0 ? 'error-text' : undefined}>{format.count(failed)}</td>
              <td>{oldest === null ? text.nothing : durationOf(oldest, health, format)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
