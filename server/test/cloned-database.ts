import { Client, type PoolConfig } from 'pg'
import { inject } from 'vitest'
import { newId } from '../lib/ids.ts'

/** A migrated, empty database of its own. */
export async function cloneDatabase(): Promise<{ database: PoolConfig; drop: () => Promise<void> }> {
  const { host, port, user, template } = inject('cluster')
  const name = `test_${newId().toLowerCase()}`
  const runAsAdmin = async (statement: string): Promise<void> => {
    // Copying files by the system costs a twentieth of the CPU time of writing each page to the log.
    const client = new Client({ host, port, user, database: 'postgres', options: '-c file_copy_method=clone' })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await runAsAdmin(`create database ${name} template ${template} strategy file_copy`)
  return {
    database: { host, port, user, database: name },
    drop: () => runAsAdmin(`drop database ${name} with (force)`),
  }
}
