import { sql, type CompiledQuery } from 'kysely'
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
