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
