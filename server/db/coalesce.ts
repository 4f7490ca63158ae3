import type { Query } from './prepared-query.ts'

/** A run that has not finished after this long is not waited for: its connection may be dead. */
const maxWaitMs = 2_000

interface Run<Row> {
  startedAt: number
  finished: Promise<unknown>
  /** The follow-up run, shared by the callers that arrived during this one. */
  next?: Promise<Row[]>
}

/**
 * Coalesces identical queries: callers arriving during a run share one follow-up run, so no result is older than its
 * request. A photo on fifty screens is read once. The callers share the rows and must not change them.
 */
export function coalesce<Row>(query: Query<Row>, clock: { now(): number } = performance): Query<Row> {
  const runs = new Map<string, Run<Row>>()
  const start = async (key: string, values: readonly unknown[]): Promise<Row[]> => {
    const rows = query(values)
    const run: Run<Row> = { startedAt: clock.now(), finished: rows.catch(() => {}) }
    runs.set(key, run)
    void run.finished.then(() => !run.next && runs.get(key) === run && runs.delete(key))
    return rows
  }
  return async (values) => {
    const key = JSON.stringify(values)
    const run = runs.get(key)
    if (!run || clock.now() - run.startedAt > maxWaitMs) return start(key, values)
    return (run.next ??= run.finished.then(async () => start(key, values)))
  }
}
