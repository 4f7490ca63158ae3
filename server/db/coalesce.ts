import type { Query } from './prepared-query.ts'

/** A run that has not finished after this long is not waited for: its connection may be dead. */
const maxRunWaitMs = 2_000

interface QueryRun<Row> {
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
  const queryRuns = new Map<string, QueryRun<Row>>()
  const startQueryRun = async (key: string, values: readonly unknown[]): Promise<Row[]> => {
    const rows = query(values)
    const queryRun: QueryRun<Row> = { startedAt: clock.now(), finished: rows.catch(() => {}) }
    queryRuns.set(key, queryRun)
    void queryRun.finished.then(() => !queryRun.next && queryRuns.get(key) === queryRun && queryRuns.delete(key))
    return rows
  }
  return async (values) => {
    const key = JSON.stringify(values)
    const queryRun = queryRuns.get(key)
    if (!queryRun || clock.now() - queryRun.startedAt > maxRunWaitMs) return startQueryRun(key, values)
    return (queryRun.next ??= queryRun.finished.then(async () => startQueryRun(key, values)))
  }
}
