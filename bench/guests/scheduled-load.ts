import { fork } from 'node:child_process'
import { join } from 'node:path'

export interface ScheduledRequest {
  /** Milliseconds after the start of the schedule. */
  dueMs: number
  /** The results are grouped by this. */
  kind: string
  path: string
  /** The IP address in X-Forwarded-For. */
  clientAddress: string
  /** Number of the client, from 0. */
  client: number
  /** Sent as JSON; makes it a POST. */
  body?: Record<string, string>
}

export interface Schedule {
  address: string
  /** Whether each client has connections of its own. */
  connectionsPerClient: boolean
  /** Ordered by `dueMs`. */
  requests: ScheduledRequest[]
}

export interface ScheduledResult {
  kind: string
  /** 0 without a response. */
  status: number
  /** From the scheduled time to the last byte of the response, so delays of the client count too. */
  ms: number
}

/** Sends the requests from a process of its own. */
export function runSchedule(schedule: Schedule): Promise<ScheduledResult[]> {
  const loadProcess = fork(join(import.meta.dirname, 'scheduled-load-process.ts'), { serialization: 'advanced' })
  return new Promise((resolve, reject) => {
    loadProcess.once('message', (results) => resolve(results as ScheduledResult[])) // sent by scheduled-load-process.ts
    loadProcess.once('error', reject)
    loadProcess.once('exit', (code) => code !== 0 && reject(new Error(`the load process exited with ${code}`)))
    loadProcess.send(schedule)
  })
}

/** Counts of the responses other than 200, as in `429 x 12`. */
export function failureCounts(results: readonly ScheduledResult[]): string[] {
  const counts = new Map<number, number>()
  for (const { status } of results) if (status !== 200) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${status || 'no response'} x ${count}`)
}
