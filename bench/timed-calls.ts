import { setTimeout as wait } from 'node:timers/promises'
import { itemAt } from './round-robin.ts'
import type { TestUser } from './test-server.ts'

export const callsPerSecond = 100

async function timeCall(user: TestUser, path: string): Promise<number> {
  const startedAt = performance.now()
  const response = await user.call('GET', path)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`the response of ${path} was ${response.status}`)
  return performance.now() - startedAt
}

/** Calls that a user makes, path after path. */
export interface UserCalls {
  user: TestUser
  paths: string[]
}

/** Milliseconds of calls at a constant rate, however slow the responses are. */
export async function timeCalls({ user, paths }: UserCalls, isOver: () => boolean): Promise<number[]> {
  const calls: Promise<number>[] = []
  const startedAt = performance.now()
  while (!isOver()) {
    calls.push(timeCall(user, itemAt(paths, calls.length)))
    await wait(Math.max(0, startedAt + (calls.length * 1000) / callsPerSecond - performance.now()))
  }
  return Promise.all(calls)
}

export function timeCallsFor(calls: UserCalls, durationMs: number): Promise<number[]> {
  const end = performance.now() + durationMs
  return timeCalls(calls, () => performance.now() > end)
}
