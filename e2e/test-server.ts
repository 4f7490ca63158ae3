import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PoolConfig } from 'pg'
import type { Page } from 'playwright-core'
import { normalizeEmail } from '@keepsnap/contract/form-rules.ts'
import type { PlanId } from '@keepsnap/contract/plans.ts'
import { connect, type Database, type Db } from '../server/platform/db/connect.ts'
import { type AccountChange, changeAccount } from '../server/features/accounts/operator-changes.ts'
import { createPasswords } from '../server/features/accounts/passwords.ts'
import { hashOf, newId, newSecret } from '../server/lib/ids.ts'
import { findEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts'
import { createLog } from '../server/platform/process/log.ts'
import { freePort } from '../server/test/child-processes.ts'
import { closeIdlePages, type OpenedPage, openPage, type PageOptions } from './browser.ts'
import { compileCache, databaseEnv, type Program, startProgram, waitLimitMs } from './program.ts'
import { bucketEnv } from './shared-server.ts'
import { password, type Visitor, visitorWith } from './visitor.ts'

const root = join(import.meta.dirname, '..')

/** A running program, with pages of a browser and users. */
export interface TestServer {
  /** Where people reach it. */
  address: string
  dataDir: string
  database: PoolConfig
  /** Where photos come from when they are in a bucket. */
  storeOrigin: string | undefined
  /** A page in a browser context of its own: it shares nothing with others, not even the address that it comes from. */
  newPage(options?: PageOptions): Promise<Page>
  /** A new user, written to the database with a session. */
  newUser(options?: UserOptions): Promise<Visitor>
  /** Changes an account as the operator's commands do. */
  changeAccount(email: string, change: AccountChange): Promise<void>
  /** An operator's command beside the running program; resolves with what it prints, rejects when it fails. */
  runCommand(...words: string[]): Promise<string>
  /** Uncaught errors of pages, and what the content security policy refused. */
  pageErrors: string[]
  close(): Promise<void>
}

export interface DedicatedServer extends TestServer {
  /** The process that was started first. */
  program: Program
  port: number
  /** Starts it again after it has ended, with the same data and settings. */
  restart(): Promise<Program>
}

interface UserOptions {
  plan?: PlanId
  isAdmin?: boolean
}

interface RunningServer {
  address: string
  /** Where this process reaches it: names that end in .test are known to the browser only. */
  apiAddress: string
  dataDir: string
  database: PoolConfig
  env: Record<string, string>
  /** What is done last when it is closed. */
  stop?: () => Promise<void>
}

interface ServerOptions {
  /** Settings of the program. */
  env?: Record<string, string>
  /** A name that ends in .test, instead of 127.0.0.1. */
  hostname?: string
  /** With PostgreSQL of its own in its data folder, as `npm start`; otherwise with a database of the tests' cluster. */
  embedded?: boolean
  /** Everything it prints is appended here. */
  log?: string
}

/** Starts a program on an empty data folder. */
export async function startTestServer(options: ServerOptions = {}): Promise<DedicatedServer> {
  const { hostname, log, embedded = false } = options
  const dataDir = await mkdtemp(join(tmpdir(), 'keepsnap-e2e-'))
  const [port, clone, store] = await Promise.all([
    freePort(),
    embedded ? undefined : cloneTestDatabase(),
    newBucketEnv(),
  ])
  const env = {
    TRUSTED_PROXIES: '127.0.0.1',
    WORKERS: '1',
    ...(hostname && { PUBLIC_URL: `http://${hostname}:${port}` }),
    ...(clone && databaseEnv(clone.database)),
    ...store,
    ...options.env,
  }
  const start = (): Promise<Program> => startProgram({ dataDir, port, env, ...(log && { log }) })
  const program = await start()
  let newest = program
  const restart = async (): Promise<Program> => (newest = await start())
  const database = clone?.database ?? findEmbeddedPostgres(dataDir)
  if (!database) throw new Error('the program runs without a database')
  const stop = async (): Promise<void> => {
    await newest.stop()
    await clone?.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const address = `http://${hostname ?? '127.0.0.1'}:${port}`
  return {
    ...createTestServer({ address, apiAddress: program.address, dataDir, database, env, stop }),
    program,
    port,
    restart,
  }
}

/** The settings of a bucket when the journeys run on a store; outside of Vitest there is none. */
async function newBucketEnv(): Promise<Record<string, string>> {
  if (process.env['KEEPSNAP_STORE'] !== 's3') return {}
  const { inject } = await import('vitest')
  return bucketEnv(inject('objectStore'))
}

/** Loaded when needed: it works within Vitest only. */
const cloneTestDatabase = async () => (await import('@keepsnap/server/test/cloned-database.ts')).cloneDatabase()

/** Pages and users of what runs at an address already. */
export function createTestServer({ address, apiAddress, dataDir, database, env, stop }: RunningServer): TestServer {
  const pageErrors: string[] = []
  const pages = new Set<OpenedPage>()
  const closePages = (some: Iterable<OpenedPage>) =>
    Promise.all(
      [...some].map(async (each) => {
        if (pages.delete(each)) await each.close()
      }),
    )
  let connection: Database | undefined
  const db = () => (connection ??= connect(database, createLog('error'), 2)).db
  return {
    address,
    dataDir,
    database,
    storeOrigin: env['S3_ENDPOINT'],
    pageErrors,
    async newPage(options) {
      const opened = await openPage(address, options)
      pages.add(opened)
      await afterTest(() => closePages([opened]))
      recordErrors(opened.page, pageErrors)
      return opened.page
    },
    newUser: async (options) => visitorWith({ address: apiAddress, ...(await addUserRow(db(), options)) }),
    async changeAccount(email, change) {
      if (!(await changeAccount(db(), email, change))) throw new Error(`there is no account of ${email}`)
    },
    async runCommand(...words) {
      const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'server/main.ts'), ...words], {
        cwd: root,
        env: {
          PATH: process.env.PATH,
          HOST: '127.0.0.1',
          LOG_LEVEL: 'error',
          ...compileCache,
          ...env,
          DATA_DIR: dataDir,
          PUBLIC_URL: address,
        },
        timeout: waitLimitMs,
      })
      return stdout.trim()
    },
    async close() {
      await closePages(pages)
      if (stop) await closeIdlePages(address)
      await connection?.close()
      await stop?.()
    },
  }
}

/** Does nothing in `beforeAll` and outside of Vitest. */
async function afterTest(work: () => Promise<unknown>): Promise<void> {
  try {
    const { onTestFinished } = await import('vitest')
    onTestFinished(async () => void (await work()))
  } catch {
    // There is no test.
  }
}

function recordErrors(page: Page, pageErrors: string[]): void {
  page.on('pageerror', (error) => pageErrors.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    // Some tests make the server refuse, or the connection break.
    const isNetwork = /^Failed to load resource|^WebSocket connection to/.test(message.text())
    if (message.type() === 'error' && !isNetwork) pageErrors.push(`${page.url()}: ${message.text()}`)
  })
}

let passwordHash: Promise<string> | undefined

/** All users of a worker process have the same password, hashed once with the least effort. */
async function hashOfPassword(): Promise<string> {
  const cost = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 }
  return (await createPasswords({ cost })).hash(password, { account: 'a test' })
}

/** Writes a user and a session to the database. */
async function addUserRow(
  db: Db,
  { plan, isAdmin = false }: UserOptions = {},
): Promise<{ email: string; token: string }> {
  passwordHash ??= hashOfPassword()
  const [id, token] = [newId(), newSecret()]
  const username = `user-${randomBytes(6).toString('hex')}`
  const email = `${username}@example.com`
  const row = { id, email, email_key: normalizeEmail(email), username, is_admin: isAdmin, granted_plan: plan ?? null }
  await db
    .insertInto('users')
    .values({ ...row, password_hash: await passwordHash })
    .execute()
  await db
    .insertInto('sessions')
    .values({ token_hash: hashOf(token), user_id: id, user_agent: null })
    .execute()
  return { email, token }
}
