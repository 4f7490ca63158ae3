import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type PoolConfig } from 'pg'
import type { TestProject } from 'vitest/node'
import type { Cluster } from '@keepsnap/server/test/cluster.ts'
import { databaseEnv, freePort, startProgram } from './program.ts'

/** A program for all spec files that need no program of their own. */
export interface SharedServer {
  address: string
  dataDir: string
  database: PoolConfig
}

declare module 'vitest' {
  interface ProvidedContext {
    sharedServer: SharedServer
  }
}

/** Runs once, before all spec files, and after the setup of the cluster. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (project.vitest.projects.every(({ name }) => name !== 'e2e')) return undefined
  const cluster: Cluster = project.getProvidedContext().cluster
  const { host, port: databasePort, user, template } = cluster
  const database = { host, port: databasePort, user, database: 'keepsnap_journeys' }
  const client = new Client({ ...database, database: 'postgres' })
  await client.connect()
  await client.query(`create database ${database.database} template ${template}`).finally(() => client.end())

  const dataDir = await mkdtemp(join(tmpdir(), 'keepsnap-e2e-'))
  const port = await freePort()
  const env = { TRUSTED_PROXIES: '127.0.0.1', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', ...databaseEnv(database) }
  const program = await startProgram({ dataDir, port, env })
  project.provide('sharedServer', { address: program.address, dataDir, database })
  return async () => {
    await program.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
