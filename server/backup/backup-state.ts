import type { Client } from 'pg'

/** Notes that a backup was finished now, by the clock of the database, for /admin and the metrics. */
export async function recordBackup(client: Client, seconds: number): Promise<void> {
  await client.query(
    `insert into backup_state (finished_at, seconds) values (now(), $1)
     on conflict (only_row) do update set finished_at = excluded.finished_at, seconds = excluded.seconds`,
    [seconds],
  )
}

/** Clears the recorded time of the last backup: a restored database has no backup of its own yet. */
export async function forgetBackups(client: Client): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('public.backup_state') is not null as found`,
  )
  // Absent at the schema of an older backup: the migration that follows creates it.
  if (rows[0]?.found) await client.query('truncate backup_state; insert into backup_state default values')
}
