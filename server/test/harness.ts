import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Logger as QueueLogger, runOnce } from 'graphile-worker'
import type { LightMyRequestResponse } from 'fastify'
import { Client, type PoolConfig } from 'pg'
import { inject, onTestFinished } from 'vitest'
import { createApp, type App } from '../app.ts'
import { readConfig, type Env } from '../config.ts'
import type { Db } from '../db/connect.ts'
import { newId } from '../domain/ids.ts'
import { createHandlers } from '../handlers.ts'
import { createImagePool, type ImagePool } from '../images/pool.ts'
import type { Handlers } from '../jobs/jobs.ts'
import { stopInOrder } from '../lifecycle.ts'
import { createLog } from '../log.ts'

/** The whole server on a database and a folder of its own. Requests go through its front door. */
export interface TestServer {
  app: App
  db: Db
  database: PoolConfig
  dir: string
  publicUrl: string
  request(what: TestRequest): Promise<LightMyRequestResponse>
  /** Runs every job that is due until none is left, with real image processes. */
  work(): Promise<void>
  /** Listens on loopback, for sockets and streams; the address. */
  listen(): Promise<string>
  images(): Promise<ImagePool>
  close(): Promise<void>
}

/** What a test may bring instead of the usual. */
export interface TestParts {
  /** A database of its own; otherwise a clone of the migrated template. */
  database?: PoolConfig
  /** Another way to the cloned database. */
  through?: (database: PoolConfig) => Promise<PoolConfig>
  /** The script of its image processes. */
  entry?: string
  /** Its data folder, which is removed in the end. */
  dir?: string
  /** A built web app; otherwise there is none. */
  webDist?: string
  /** Milliseconds that asking for a photo takes at least; otherwise none, tests ask often. */
  leastAskMs?: number
  /** Where the log goes. */
  out?: { write(text: string): unknown }
}

export interface TestRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS'
  url: string
  token?: string | undefined
  /** The client's address; every test client has its own unless it says so. */
  from?: string
  headers?: Record<string, string>
  body?: unknown
}

export const publicUrl = 'http://photos.test'
const quiet = new QueueLogger(() => () => {})

/** An address that no other test client has. */
let clients = 0
export function newClient(): string {
  clients += 1
  return `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`
}

/** A migrated, empty database of its own. */
export async function cloneDatabase(): Promise<{ database: PoolConfig; drop: () => Promise<void> }> {
  const { host, port, user, template } = inject('cluster')
  const name = `test_${newId().toLowerCase()}`
  const admin = async (statement: string): Promise<void> => {
    const client = new Client({ host, port, user, database: 'postgres' })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await admin(`create database ${name} template ${template}`)
  return { database: { host, port, user, database: name }, drop: () => admin(`drop database ${name} with (force)`) }
}

/** Starts a server for a test file; close it in afterAll, or pass `thisTest` to have it closed with the test. */
export async function startServer(env: Env = {}, parts: TestParts = {}): Promise<TestServer> {
  const dir = parts.dir ?? (await mkdtemp(join(tmpdir(), 'keepsnap-server-')))
  const { database, drop } = parts.database ? { database: parts.database, drop: async () => {} } : await cloneDatabase()
  const settings = {
    DATA_DIR: dir,
    PUBLIC_URL: publicUrl,
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'error',
    PORT: '0',
    SECRET_KEY: 'a secret of the tests, long enough',
    ...env,
  }
  const config = readConfig(settings, { lanAddress: undefined, cwd: dir })
  const log = createLog(config.logLevel, parts.out)
  let pool: Promise<ImagePool> | undefined
  const images = (): Promise<ImagePool> =>
    (pool ??= createImagePool({
      scratchDir: join(dir, 'scratch'),
      size: 2,
      maxMegapixels: config.maxMegapixels,
      log,
      ...(parts.entry !== undefined && { entry: parts.entry }),
    }))
  const app = await createApp({
    config,
    log,
    database: (await parts.through?.(database)) ?? database,
    parts: { serve: true, work: false },
    webDist: parts.webDist ?? join(dir, 'no-web-app'),
    leastAskMs: parts.leastAskMs ?? 0,
    guestRenderer: join(import.meta.dirname, '../../web/dist-guest/guest.js'),
    images,
  })
  const http = app.http!

  return {
    app,
    db: app.deps.db,
    database,
    dir,
    publicUrl,
    images,
    request: ({ method, url, token, from = newClient(), headers = {}, body }) =>
      http.inject({
        method,
        url,
        remoteAddress: '127.0.0.1',
        headers: {
          host: 'photos.test',
          'x-forwarded-for': from,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { payload: body as string | Buffer | object }), // light-my-request's own union
      }),
    async work() {
      const handlers: Handlers = createHandlers(app.deps, await images())
      const taskList = Object.fromEntries(
        Object.entries(handlers).map(([name, work]) => [name, async (payload: unknown) => work(payload as never)]),
      ) // written by enqueue, which knows the type
      await runOnce({
        pgPool: app.deps.pool,
        taskList,
        logger: quiet,
        noHandleSignals: true,
        concurrency: 2,
        // As in the worker: otherwise the end of a job may be written down after this has resolved.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      })
    },
    async listen() {
      await http.listen({ port: 0, host: '127.0.0.1' })
      const address = http.server.address()
      if (typeof address !== 'object' || !address) throw new Error('not listening')
      return `http://127.0.0.1:${address.port}`
    },
    async close() {
      await (await pool)?.close()
      await stopInOrder(app.closers, log)
      await drop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** A server for one test. */
export async function serverForThisTest(env: Env = {}, parts: TestParts = {}): Promise<TestServer> {
  const server = await startServer(env, parts)
  onTestFinished(() => server.close())
  return server
}
