import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { connect } from '../db/connect.ts'
import { startEmbeddedPostgres } from '../postgres/embedded-postgres.ts'
import { migrate } from '../db/migrate.ts'
import { createLog } from '../runtime/log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated, empty database to be cloned, and the way to it. */
    cluster: { host: string; port: number; user: string; template: string }
  }
}

const template = 'keepsnap_template'

/** One PostgreSQL for the whole run, with one migrated database that each test file clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = mkdtempSync(join(tmpdir(), 'keepsnap-tests-'))
  const log = createLog('error')
  const postgres = await startEmbeddedPostgres({ dataDir: scratch, log, durable: false })
  const { host, port, user, database } = postgres.connection
  const admin = new Client({ host, port, user, database })
  await admin.connect()
  await admin.query(`create database ${template}`)
  const migrating = connect({ host, port, user, database: template }, log, 2)
  await migrate(migrating.db, migrating.pool)
  await migrating.close()
  await admin.end()
  project.provide('cluster', { host, port, user, template })
  return async () => {
    await postgres.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}
