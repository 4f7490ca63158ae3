import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type PoolConfig } from 'pg'
import type { TestProject } from 'vitest/node'
import type { TestCluster } from '../server/test/cluster.ts'
import { freePort } from '../server/test/child-processes.ts'
import type { Gateway, GatewayAccess } from '../server/test/radosgw.ts'
import { hasNodes, startNodes } from './nodes.ts'
import { databaseEnv, startProgram } from './program.ts'

/** A program for all spec files that need no program of their own. */
export interface SharedServer {
  address: string
  /** Another name of it, which is not loopback and very long: it makes large codes. The browser alone knows it. */
  longAddress: string
  dataDir: string
  database: PoolConfig
  /** The port at which the program expects an analytics host; no browser asks it before somebody has agreed. */
  analyticsPort: number
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
  const [port, analyticsPort] = [await freePort(), await freePort()]
  const longAddress = `http://photos-of-${'the-very-long-evening-'.repeat(2)}in-the-castle.test:${port}`
  const env = {
    TRUSTED_PROXIES: '127.0.0.1',
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    ALLOWED_ORIGINS: longAddress,
    ANALYTICS_PROVIDER: 'matomo',
    ANALYTICS_HOST: `http://127.0.0.1:${analyticsPort}`,
    ANALYTICS_SITE: '1',
    ...databaseEnv(database),
    ...store,
  }
  const program = hasNodes()
    ? await startNodes({ dataDir, port, env, log })
    : await startProgram({ dataDir, port, env, log })
  const { address } = program
  project.provide('sharedServer', { address, longAddress, dataDir, database, analyticsPort, store, log })
  return async () => {
    await program.stop()
    await gateway?.stop()
    for (const path of [dataDir, log]) await rm(path, { recursive: true, force: true })
  }
}
