import { fork } from 'node:child_process'
import { join } from 'node:path'

/** One request and the moment at which it is due. */
export interface Planned {
  /** Milliseconds after the beginning. */
  at: number
  /** What it is counted under. */
  kind: string
  path: string
  /** The address that a proxy would have seen. */
  from: string
  guest: number
  /** Makes it a POST. */
  body?: Record<string, string>
}

export interface Plan {
  address: string
  /** Whether each guest has connections of their own. */
  own: boolean
  /** In the order of their moments. */
  requests: Planned[]
}

export interface Outcome {
  kind: string
  /** 0 when no answer came. */
  status: number
  /** From the planned moment to the last byte, so that a sender or a line that falls behind counts too. */
  ms: number
}

/** Has another process carry out the plan. */
export function carry(plan: Plan): Promise<Outcome[]> {
  const child = fork(join(import.meta.dirname, 'scheduled-load-process.ts'), { serialization: 'advanced' })
  return new Promise((resolve, reject) => {
    child.once('message', (outcomes) => resolve(outcomes as Outcome[])) // as sender.ts answers
    child.once('error', reject)
    child.once('exit', (code) => code !== 0 && reject(new Error(`the sender ended with ${code}`)))
    child.send(plan)
  })
}

/** What went wrong, as `429 x 12`; empty when nothing did. */
export function wrongs(outcomes: readonly Outcome[]): string[] {
  const counts = new Map<number, number>()
  for (const { status } of outcomes) if (status !== 200) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${status || 'no answer'} x ${count}`)
}
