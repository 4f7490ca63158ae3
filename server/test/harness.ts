import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mkdtemp, rm } from 'node:fs/promises'
import {
  type JobHelpers,
  Logger as QueueLogger,
  type RunOnceOptions,
  runTaskListOnce,
  type TaskList,
} from 'graphile-worker'
import type { Pool, PoolConfig } from 'pg'
import type { Logger } from 'pino'
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest'
import type { Handlers, JobName } from '../platform/jobs/jobs.ts'
import { createImagePool, type ImagePool } from '../images/sandbox/image-pool.ts'
import { createLog } from '../platform/process/log.ts'
import { type App, type AppOptions, createApp } from '../app.ts'
import { type Env, readConfig } from '../config.ts'
import type { Db } from '../platform/db/connect.ts'
import type { PasswordHashing } from '../features/accounts/passwords.ts'
import type { HttpServer, InjectedResponse } from '../platform/http/http-types.ts'
import { createJobHandlers } from '../job-handlers.ts'
import { shutDown } from '../platform/process/shutdown.ts'
import { cloneDatabase } from './cloned-database.ts'
import { type DatabaseProxy, openDatabaseProxy } from './database-proxy.ts'

/** The whole server, with its own database and data folder. Requests are handled as over the network. */
export interface TestServer {
  app: App
  db: Db
  database: PoolConfig
  dir: string
  /** Where its image processes work. */
  scratchDir(): Promise<string>
  publicUrl: string
  request(what: TestRequest): Promise<InjectedResponse>
  /** Runs every due job until none is left, with real image processes. */
  work(): Promise<void>
  /** Listens on loopback, for sockets and streams; resolves with the URL. */
  listen(): Promise<string>
  images(): Promise<ImagePool>
  close(): Promise<void>
}

interface TestServerOptions {
  /** A database; otherwise a clone of the migrated template. Without `dir`, a second node with files of its own. */
  database?: PoolConfig
  /** Returns another way to the cloned database. */
  databaseProxy?: (database: PoolConfig) => Promise<PoolConfig>
  /** The script of its image processes. */
  imageProcessScript?: string
  /** Image processes of its own; otherwise it uses those of this test process. */
  ownImageProcesses?: boolean
  /** Its data folder, which is removed at the end. */
  dir?: string
  /** A built web app; otherwise there is none. */
  webDist?: string
  /** The minimum duration of a photo request; otherwise none, because tests ask often. */
  minAnswerMs?: number
  followStoreEveryMs?: number
  /** As `serve --anyway`, which a second node with files of its own needs. */
  foreignStore?: AppOptions['foreignStore']
  /** How passwords are hashed; otherwise with the least effort. */
  passwordHashing?: Partial<PasswordHashing>
  /** Resolves the hosts of webhooks. */
  resolveWebhookHost?: AppOptions['resolveWebhookHost']
  /** Receives the log. */
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
/** The least that argon2 allows: what is tested elsewhere need not cost a core. */
export const cheapHashing: Pick<PasswordHashing, 'cost'> = {
  cost: { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 },
}

/** On a machine that is slow for seconds, requests wait longer for the database than the product lets them. */
const databaseWaits = { connectionTimeoutMillis: 60_000, statement_timeout: 120_000 }

let clients = 0
/** Returns an IP address that no other client has. */
export function newClientAddress(): string {
  clients += 1
  return `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`
}

/** The image processes of a server: those of this test process, unless the test brings a script or asks for its own. */
function openImages(dir: string, log: Logger, options: TestServerOptions) {
  const { imageProcessScript: entry, ownImageProcesses = entry !== undefined || options.out !== undefined } = options
  if (!ownImageProcesses) return { start: sharedImagePool, close: async () => {} }
  const scratchDir = join(dir, 'scratch')
  let own: Promise<SharedImagePool> | undefined
  const start = async (): Promise<SharedImagePool> => {
    const images = await createImagePool({
      scratchDir,
      size: 2,
      maxMegapixels: 120,
      limits: testImageLimits,
      log,
      ...(entry !== undefined && { entry }),
    })
    return { images, scratchDir }
  }
  return {
    start: () => (own ??= start()),
    close: async () => (await own)?.images.close(),
  }
}

/** Sends a request to a server that does not listen. */
const injectInto =
  (http: HttpServer): TestServer['request'] =>
  ({ method, url, token, from = newClientAddress(), headers = {}, body }) =>
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
      ...(body !== undefined && { payload: body as string | Buffer | object }), // the type of light-my-request
    })

/** Starts a server for a test file; close it in afterAll. */
export async function startServer(env: Env = {}, options: TestServerOptions = {}): Promise<TestServer> {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'keepsnap-server-')))
  const { database, drop } = options.database
    ? { database: options.database, drop: async () => {} }
    : await cloneDatabase()
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
  const log = createLog(config.logLevel, options.out)
  const imagePool = openImages(dir, log, options)
  const images = async (): Promise<ImagePool> => (await imagePool.start()).images
  const app = await createApp({
    config,
    log,
    database: { ...databaseWaits, ...((await options.databaseProxy?.(database)) ?? database) },
    parts: { serve: true, work: false },
    webDist: options.webDist ?? join(dir, 'no-web-app'),
    minAnswerMs: options.minAnswerMs ?? 0,
    // On a busy machine every read is slow; tests read what they have just changed.
    slowReadMs: Infinity,
    followStoreEveryMs: options.followStoreEveryMs,
    foreignStore: options.foreignStore ?? (options.database && !options.dir ? 'use' : 'refuse'),
    passwordHashing: options.passwordHashing ?? cheapHashing,
    resolveWebhookHost: options.resolveWebhookHost,
    webPages: join(import.meta.dirname, '../../web/dist-pages/pages.js'),
    guestRenderer: join(import.meta.dirname, '../../web/dist-guest/guest.js'),
    images,
  })
  const { http } = app
  if (!http) throw new Error('this node does not serve HTTP')
  const runJobs = createJobRunner(app.deps.pool)

  return {
    app,
    db: app.deps.db,
    database,
    dir,
    scratchDir: async () => (await imagePool.start()).scratchDir,
    publicUrl,
    images,
    request: injectInto(http),
    async work() {
      // As a worker does before it takes jobs.
      await images()
      const handlers = createJobHandlers(app.deps)
      do await runJobs(handlers)
      while ((await Promise.all(app.deps.webhooks.unfinished)).length)
    },
    async listen() {
      if (!http.server.listening) {
        await http.listen({ port: 0, host: '127.0.0.1' })
        // A socket that is opened before the bus listens would miss events.
        await vi.waitUntil(app.deps.bus.isListening, { timeout: 60_000, interval: 5 })
      }
      const address = http.server.address()
      if (typeof address !== 'object' || !address) throw new Error('not listening')
      return `http://127.0.0.1:${address.port}`
    },
    async close() {
      await imagePool.close()
      await shutDown(app.shutdownSteps, log)
      await drop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Starts a server for one test, and closes it with the test. */
export async function serverForThisTest(env: Env = {}, options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startServer(env, options)
  onTestFinished(() => server.close())
  return server
}

/** Starts a server before the tests of the file or of the `describe` that calls it, and closes it after them. */
export function useServer(env: Env = {}, options: TestServerOptions = {}): TestServer {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer(env, options)
  })
  afterAll(() => server.close())
  return new Proxy({} as TestServer, { get: (_, name: keyof TestServer) => server[name] }) // of the running tests
}

/** Starts a server that reaches its database through a proxy, which is closed with the server. */
export async function startServerBehindProxy(env: Env = {}): Promise<{ server: TestServer; proxy: DatabaseProxy }> {
  const openedProxy = Promise.withResolvers<DatabaseProxy>()
  const server = await startServer(env, {
    databaseProxy: async (database) => {
      const proxy = await openDatabaseProxy(database)
      openedProxy.resolve(proxy)
      return proxy.database
    },
  })
  const proxy = await openedProxy.promise
  const close = async (): Promise<void> => {
    await server.close()
    await proxy.close()
  }
  return { server: { ...server, close }, proxy }
}

const concurrency = 2
const silent = new QueueLogger(() => () => {})

/**
 * Returns a function that runs every due job until none is left. It does what graphile-worker's `runOnce` does, but does
 * not look for migrations of the queue each time.
 */
export function createJobRunner(pool: Pool): (handlers: Handlers) => Promise<void> {
  // The queue caches ids of this database by the identity of these options.
  const options: RunOnceOptions = {
    logger: silent,
    noHandleSignals: true,
    // As in the worker: otherwise the end of a job may be written after the runner has resolved.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  }
  return async (handlers) => {
    // `enqueue` knows the type of each payload.
    const taskList: TaskList = Object.fromEntries(
      (Object.keys(handlers) as JobName[]).map((name) => [
        name,
        (payload: unknown, { job }: JobHelpers) => handlers[name](payload as never, job.id),
      ]),
    )
    const runOneByOne = async (): Promise<void> => {
      const client = await pool.connect()
      try {
        await runTaskListOnce(options, taskList, client).promise
      } finally {
        client.release()
      }
    }
    await Promise.all(Array.from({ length: concurrency }, runOneByOne))
  }
}

/** Lets queued jobs run now, all or those whose key is like this pattern of SQL. */
export async function makeJobsDue(pool: Pool, keyLike = '%'): Promise<void> {
  await pool.query(
    `update graphile_worker._private_jobs set run_at = now()
     where locked_at is null and run_at > now() and coalesce(key, '') like $1`,
    [keyLike],
  )
}

/** Removes queued jobs, all or those whose key is like this pattern of SQL. */
export async function removeJobs(pool: Pool, keyLike = '%'): Promise<void> {
  await pool.query("delete from graphile_worker._private_jobs where coalesce(key, '') like $1", [keyLike])
}

/** Lets the locks of running jobs be so much older, such as `1 minute`, as when their workers died that long ago. */
export async function ageLocks(pool: Pool, age: string): Promise<void> {
  await pool.query('update graphile_worker._private_jobs set locked_at = locked_at - $1::interval', [age])
}

/** Sets the age of queued jobs, all or those whose key is like this pattern: due and enqueued so long ago, such as `1 hour`. */
export async function ageJobs(pool: Pool, age: string, keyLike = '%'): Promise<void> {
  await pool.query(
    `update graphile_worker._private_jobs set run_at = now() - $1::interval, created_at = now() - $1::interval
     where coalesce(key, '') like $2`,
    [age, keyLike],
  )
}

/** Lets queued jobs count as failed for good, all or those whose key is like this pattern of SQL. */
export async function failJobs(pool: Pool, keyLike = '%'): Promise<void> {
  await pool.query("update graphile_worker._private_jobs set attempts = max_attempts where coalesce(key, '') like $1", [
    keyLike,
  ])
}

/** Leaves queued jobs as a worker does that died so long ago while it ran them. */
export async function lockJobs(pool: Pool, age: string, keyLike = '%'): Promise<void> {
  await pool.query(
    `update graphile_worker._private_jobs set locked_at = now() - $1::interval, locked_by = 'dead', attempts = 1
     where coalesce(key, '') like $2`,
    [age, keyLike],
  )
}

/** Image processes that all servers of this test process use, and the folder that they work in. */
interface SharedImagePool {
  images: ImagePool
  scratchDir: string
}

/** More time than in production: a busy machine slows processes of low priority down, and few tests are about time. */
const testImageLimits = { baseMs: 60_000 }

let shared: Promise<SharedImagePool> | undefined

async function start(): Promise<SharedImagePool> {
  const scratchDir = mkdtempSync(join(tmpdir(), 'keepsnap-images-'))
  // The image processes end when their standard input closes, that is with this process.
  process.once('exit', () => rmSync(scratchDir, { recursive: true, force: true }))
  const images = await createImagePool({
    scratchDir,
    size: 2,
    maxMegapixels: 120,
    limits: testImageLimits,
    log: createLog('silent'),
  })
  return { images, scratchDir }
}

/** The folder that they work in; undefined as long as they have not been needed. */
export const sharedScratchDir = async (): Promise<string | undefined> => (await shared)?.scratchDir

/** Starts the image processes when they are first needed. They run until the test process ends. */
const sharedImagePool = (): Promise<SharedImagePool> => (shared ??= start())
