import type { CompiledQuery } from 'kysely'
import type { Pool, QueryResultRow } from 'pg'

/** Asks with other values in place of those that the query was written with, in the order of its parameters. */
export type Ask<Row> = (values: readonly unknown[]) => Promise<Row[]>

/**
 * A query that is written once and that each connection parses and plans once: for the few that are asked thousands of
 * times a second. Outside transactions only.
 * @param name its own among all prepared queries; at most 63 characters
 */
export function prepare<Row extends QueryResultRow>(
  pool: Pool,
  name: string,
  { sql: text }: CompiledQuery<Row>,
): Ask<Row> {
  return async (values) => (await pool.query<Row>({ name, text, values: [...values] })).rows
}

/** Whoever asks this long after a statement began does not wait for it: its connection may be dead without a word. */
const shareWithinMs = 2_000

/**
 * Those who ask the same while a statement runs wait for the next one and share its rows, which nobody may change. It
 * begins after all of them have asked, so each hears what is true by then: a photo on fifty screens is read once.
 */
export function shared<Row>(ask: Ask<Row>): Ask<Row> {
  interface Turn {
    beganAt: number
    over: Promise<unknown>
    next?: Promise<Row[]>
  }
  const turns = new Map<string, Turn>()
  const begin = async (key: string, values: readonly unknown[]): Promise<Row[]> => {
    const rows = ask(values)
    const turn: Turn = { beganAt: performance.now(), over: rows.catch(() => {}) }
    turns.set(key, turn)
    void turn.over.then(() => !turn.next && turns.get(key) === turn && turns.delete(key))
    return rows
  }
  return async (values) => {
    const key = JSON.stringify(values)
    const turn = turns.get(key)
    if (!turn || performance.now() - turn.beganAt > shareWithinMs) return begin(key, values)
    return (turn.next ??= turn.over.then(async () => begin(key, values)))
  }
}
