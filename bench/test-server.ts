import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { findEmbeddedPostgres } from '@keepsnap/server/postgres/embedded-postgres.ts'
import { freePort } from '@keepsnap/server/test/free-ports.ts'
import { startProgram, type Program } from '@keepsnap/e2e/program.ts'
import { newVisitor, type Visitor } from '@keepsnap/e2e/visitor.ts'
import { openLiveConnection, type LiveConnection } from './live-connection.ts'
import { uploadTimed, type TimedUpload } from './timed-upload.ts'

/** A signed-in user with a live connection. */
export interface TestUser extends Visitor {
  id: string
  live: LiveConnection
  uploadTimed(file: Buffer): Promise<TimedUpload & { photo: Photo }>
  /** Uploads a photo and waits until the live connection says that it is complete. */
  addPhoto(file: Buffer): Promise<Photo>
}

/** Creates users of a running server. */
export interface UserFactory {
  /** A user with the largest plan and a verified email address. */
  createUser(): Promise<TestUser>
  createUsers(count: number): Promise<TestUser[]>
  /** A connection to the database of the server. */
  connectDatabase(): Promise<Client>
  /** Closes the connections of the users and to the database. */
  close(): Promise<void>
}

/** A server with its database and image processes, in a data folder of its own. */
export interface TestServer extends UserFactory {
  program: Program
  stop(): Promise<void>
}

async function registerUser(address: string, forwardedFor: string): Promise<TestUser> {
  const visitor = await newVisitor(address, forwardedFor)
  const { id } = (await (await visitor.call('GET', '/user/me')).json()) as { id: string } // the contract's reply
  const live = await openLiveConnection(address, visitor.token)
  const headers = { authorization: `Bearer ${visitor.token}` }
  const upload = async (file: Buffer): Promise<TimedUpload & { photo: Photo }> => {
    const timed = await uploadTimed(address, file, headers)
    return { ...timed, photo: timed.body as Photo } // the contract's reply
  }
  return {
    ...visitor,
    id,
    live,
    uploadTimed: upload,
    async addPhoto(file) {
      const { photo } = await upload(file)
      await live.waitForCompletion(photo.id)
      return photo
    },
  }
}

/** Each user registers from another IP address, so the server must trust X-Forwarded-For from loopback. */
export function userFactory(address: string, dataDir: string): UserFactory {
  const closers: (() => unknown)[] = []
  let registered = 0
  let database: Promise<Client> | undefined

  const connectDatabase = async (): Promise<Client> => {
    const connection = findEmbeddedPostgres(dataDir)
    if (!connection) throw new Error('the database of the server is not running')
    const client = new Client(connection)
    await client.connect()
    closers.push(() => client.end())
    return client
  }

  const createUser = async (): Promise<TestUser> => {
    registered += 1
    const user = await registerUser(address, `10.0.${registered >> 8}.${registered & 255}`)
    closers.push(() => user.live.close())
    database ??= connectDatabase()
    const setPlan = `update users set granted_plan = 'pro_yearly', email_verified_at = now() where id = $1`
    await (await database).query(setPlan, [user.id])
    return user
  }

  return {
    createUser,
    async createUsers(count) {
      const users: TestUser[] = []
      while (users.length < count) users.push(await createUser())
      return users
    },
    connectDatabase,
    async close() {
      for (const close of closers) await close()
    },
  }
}

/**
 * Starts the program with the options of npm start, except that it trusts X-Forwarded-For from loopback. It stops when this
 * process ends.
 */
export async function startTestServer(folder: string, env: Record<string, string> = {}): Promise<TestServer> {
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir, { recursive: true })
  const program = await startProgram({
    dataDir,
    port: await freePort(),
    log: join(folder, 'log'),
    env: {
      KEEPSNAP_PARENT: String(process.pid),
      TRUSTED_PROXIES: '127.0.0.1',
      NODE_OPTIONS: '--max-semi-space-size=8',
      MALLOC_ARENA_MAX: '2',
      ...env,
    },
  })
  const users = userFactory(program.address, dataDir)
  return {
    ...users,
    program,
    async stop() {
      await users.close()
      await program.stop()
    },
  }
}
