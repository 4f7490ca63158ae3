import type { Pool } from 'pg'

/**
 * How many statements in the pool's database wait for a lock. Asks outside of any transaction: within one, PostgreSQL
 * does not show connections that were opened after the first question.
 */
export async function countLockWaits(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]?.count ?? 0
}
