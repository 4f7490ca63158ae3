import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { connect } from '../platform/db/connect.ts'
import { startEmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts'
import { migrate } from '../platform/db/migrate.ts'
import { createLog } from '../platform/process/log.ts'
import { endSharedGateways } from './radosgw.ts'

/** A migrated, empty database to be cloned, and the way to it. */
export interface TestCluster {
  host: string
  port: number
  user: string
  template: string
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: TestCluster
    /** What the workers of a run leave for its end. */
    runFolder: string
  }
}

const template = 'keepsnap_template'

/** One PostgreSQL for the whole run, with one migrated database that each test file clones. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // The tests of the web app need none.
  if (project.vitest.projects.every(({ name }) => name === 'web')) return undefined
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
  project.provide('runFolder', scratch)
  project.provide('cluster', { host, port, user, template })
  return async () => {
    await endSharedGateways(scratch)
    await postgres.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}
