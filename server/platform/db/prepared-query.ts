import { type CompiledQuery, sql } from 'kysely'
import type { Pool, QueryResultRow } from 'pg'

/** Runs a query with these values, in the order of its parameters. */
export type Query<Row> = (values: readonly unknown[]) => Promise<Row[]>

/**
 * The parameter of a prepared statement that says how many rows its page has. PostgreSQL does not look into a subquery: it makes one
 * plan for every number, which reads an index in order, and keeps it. Told the number, it plans each call anew.
 */
export const preparedLimit = sql<number>`(select ${0}::bigint)`

/**
 * A prepared statement: each connection parses and plans it once. For the few queries that run thousands of times a
 * second. Not for use inside transactions.
 * @param name unique among all prepared statements; at most 63 characters
 */
export function prepareQuery<Row extends QueryResultRow>(
  pool: Pool,
  name: string,
  { sql: text }: CompiledQuery<Row>,
): Query<Row> {
  return async (values) => (await pool.query<Row>({ name, text, values: [...values] })).rows
}

/** A run that has not finished after this long is not waited for: its connection may be dead. */
const maxRunWaitMs = 2_000
/** While so many queries run, callers wait for the next one: others than these two rarely have to. */
const runsAtOnce = 2
const keysPerRun = 20

/**
 * Coalesces a query about one key, such as a user, with those about others: callers that arrive while two runs are under way
 * share the next one, so no result is older than its request, and a caller that finds none under way waits for nobody. With
 * hundreds of callers, what a query costs besides its rows is paid once for many.
 * @param read resolves to the results that exist
 */
export function coalesceKeys<Result>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Result>>,
  clock: { now(): number } = performance,
): (key: string) => Promise<Result | undefined> {
  const waiting = new Map<string, PromiseWithResolvers<Result | undefined>>()
  const startTimes = new Set<{ at: number }>()
  const startRuns = (): void => {
    const now = clock.now()
    const isUnderWay = ({ at }: { at: number }): boolean => now - at <= maxRunWaitMs
    if (waiting.size === 0 || Array.from(startTimes).filter(isUnderWay).length >= runsAtOnce) return
    const callers = Array.from(waiting).slice(0, keysPerRun)
    for (const [key] of callers) waiting.delete(key)
    const startTime = { at: now }
    startTimes.add(startTime)
    void read(callers.map(([key]) => key))
      .then(
        (results) => callers.forEach(([key, caller]) => caller.resolve(results.get(key))),
        (error: unknown) => callers.forEach(([, caller]) => caller.reject(error)),
      )
      .finally(() => {
        startTimes.delete(startTime)
        startRuns()
      })
  }
  return (key) => {
    const caller = waiting.get(key) ?? Promise.withResolvers<Result | undefined>()
    waiting.set(key, caller)
    startRuns()
    return caller.promise
  }
}

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
