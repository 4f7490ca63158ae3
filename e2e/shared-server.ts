import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type PoolConfig } from 'pg'
import type { TestProject } from 'vitest/node'
import type { TestCluster } from '@keepsnap/server/test/cluster.ts'
import type { Gateway, GatewayAccess } from '@keepsnap/server/test/radosgw.ts'
import { hasNodes, startNodes } from './nodes.ts'
import { freePort } from '@keepsnap/server/test/free-ports.ts'
import { databaseEnv, startProgram } from './program.ts'

/** A program for all spec files that need no program of their own. */
export interface SharedServer {
  address: string
  dataDir: string
  database: PoolConfig
  /** The settings of its bucket. */
  store: Record<string, string>
  /** The file with everything that it prints: warnings and errors. */
  log: string
}

declare module 'vitest' {
  interface ProvidedContext {
    sharedServer: SharedServer
    /** A store for all programs, each with a bucket of its own; null when they store files on disk. */
    objectStore: GatewayAccess | null
  }
}

/** With KEEPSNAP_STORE=s3, all programs store files in buckets: `npm run record -- s3`. */
async function startObjectStore(): Promise<Gateway | null> {
  if (process.env['KEEPSNAP_STORE'] !== 's3') return null
  const { startGateway } = await import('@keepsnap/server/test/radosgw.ts')
  return startGateway()
}

/** The settings of a program with a new bucket in a store; none without a store. */
export async function bucketEnv(objectStore: GatewayAccess | null): Promise<Record<string, string>> {
  if (!objectStore) return {}
  const { createBucket } = await import('@keepsnap/server/test/radosgw.ts')
  return createBucket(objectStore)
}

/** Runs once, before all spec files, and after the setup of the cluster. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (project.vitest.projects.every(({ name }) => name !== 'e2e')) return undefined
  const gateway = await startObjectStore()
  const { endpoint = '', accessKeyId = '', secretAccessKey = '' } = gateway ?? {}
  const objectStore = gateway && { endpoint, accessKeyId, secretAccessKey }
  project.provide('objectStore', objectStore)
  const cluster: TestCluster = project.getProvidedContext().cluster
  const { host, port: databasePort, user, template } = cluster
  const database = { host, port: databasePort, user, database: 'keepsnap_journeys' }
  const client = new Client({ ...database, database: 'postgres' })
  await client.connect()
  await client.query(`create database ${database.database} template ${template}`).finally(() => client.end())

  const dataDir = await mkdtemp(join(tmpdir(), 'keepsnap-e2e-'))
  const log = `${dataDir}.log`
  const store = await bucketEnv(objectStore)
  const env = {
    TRUSTED_PROXIES: '127.0.0.1',
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    ...databaseEnv(database),
    ...store,
  }
  const program = hasNodes()
    ? await startNodes({ dataDir, env, log })
    : await startProgram({ dataDir, port: await freePort(), env, log })
  project.provide('sharedServer', { address: program.address, dataDir, database, store, log })
  return async () => {
    await program.stop()
    await gateway?.stop()
    for (const path of [dataDir, log]) await rm(path, { recursive: true, force: true })
  }
}
