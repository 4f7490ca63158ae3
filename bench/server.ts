import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { Agent, request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { Client } from 'pg'
import { WebSocket } from 'ws'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { startProgram } from '@keepsnap/e2e/program.ts'
import { newVisitor, type Visitor } from '@keepsnap/e2e/visitor.ts'
import { findEmbeddedPostgres } from '@keepsnap/server/postgres/embedded-postgres.ts'
import { freePort } from '@keepsnap/server/test/free-ports.ts'

const boundary = 'keepsnap-bench-boundary'
const head = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="bench.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`,
)
const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** By `performance.now()`: when the kernel had taken the last byte of an upload, and when the whole response had arrived. */
interface TimedUpload {
  lastByteAt: number
  respondedAt: number
  body: unknown
}

/** Uploads one file over a kept-alive connection; rejects unless the response is 201. The same for product and baseline. */
export async function uploadTimed(address: string, file: Buffer, token?: string): Promise<TimedUpload> {
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': head.length + file.length + tail.length,
  }
  const outgoing = request(`${address}/photos/upload`, { method: 'POST', agent, headers })
  let lastByteAt = Infinity
  outgoing.write(head)
  outgoing.write(file)
  outgoing.end(tail, () => (lastByteAt = performance.now()))
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const body = await text(response)
  const respondedAt = performance.now()
  if (response.statusCode !== 201) throw new Error(`an upload was answered with ${response.statusCode}: ${body}`)
  // A response that is sent early arrives before the last write has called back.
  return { lastByteAt: Math.min(lastByteAt, respondedAt), respondedAt, body: JSON.parse(body) }
}

/** A photo that was processed completely. Times are by `performance.now()`. */
export interface AddedPhoto {
  lastByteAt: number
  respondedAt: number
  /** When the owner's socket received the first update that names a thumbnail. */
  thumbnailAt: number
  /** When it received the update that says that processing is complete. */
  completeAt: number
}

/** A signed-in user with the largest plan, a verified email address and an open socket. */
export interface TestUser extends Omit<Visitor, 'addPhoto'> {
  id: string
  /** Uploads a photo and waits until the socket says that it is complete. */
  addPhoto(file: Buffer): Promise<AddedPhoto>
  photos(): Promise<Photo[]>
}

/** A server with its database and image processes. */
export interface TestServer {
  address: string
  database: Client
  createUsers(count: number): Promise<TestUser[]>
  stop(): Promise<void>
}

interface Updates {
  thumbnailAt: number
  complete: PromiseWithResolvers<number>
}

/** Resolves when the socket has been greeted. */
async function openSocket(address: string, token: string): Promise<{ socket: WebSocket; of(id: string): Updates }> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws?token=${token}`, { perMessageDeflate: false })
  const photos = new Map<string, Updates>()
  const of = (id: string): Updates => {
    const known = photos.get(id)
    if (known) return known
    const updates = { thumbnailAt: 0, complete: Promise.withResolvers<number>() }
    // A failure before anybody waits for this photo must not end the process.
    updates.complete.promise.catch(() => {})
    photos.set(id, updates)
    return updates
  }
  await new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.on('message', (data: Buffer) => {
      const at = performance.now()
      resolve(undefined)
      const message = JSON.parse(data.toString()) as ServerMessage // the contract's message
      if (message.action !== 'photo_update') return
      const {
        id,
        thumbnail_url: thumbnail,
        processing_complete: isComplete,
        processing_failed: isFailed,
      } = message.photo
      const updates = of(id)
      if (thumbnail !== null) updates.thumbnailAt ||= at
      if (isComplete) updates.complete.resolve(at)
      if (isFailed) updates.complete.reject(new Error(message.photo.error_message ?? 'a photo failed'))
    })
  })
  return { socket, of }
}

let registered = 0

async function createUser(address: string, database: Client): Promise<{ user: TestUser; socket: WebSocket }> {
  registered += 1
  // Each from another IP address, which the server takes from X-Forwarded-For.
  const visitor = await newVisitor(address, `10.0.${registered >> 8}.${registered & 255}`)
  const { rows } = await database.query<{ id: string }>(
    `update users set granted_plan = 'pro_yearly', email_verified_at = now() where email = $1 returning id`,
    [visitor.email],
  )
  const { socket, of } = await openSocket(address, visitor.token)
  const user: TestUser = {
    ...visitor,
    id: rows[0]!.id,
    async addPhoto(file) {
      const { lastByteAt, respondedAt, body } = await uploadTimed(address, file, visitor.token)
      const updates = of((body as Photo).id) // the contract's reply
      const completeAt = await updates.complete.promise
      return { lastByteAt, respondedAt, thumbnailAt: updates.thumbnailAt, completeAt }
    },
    photos: async () => (await (await visitor.call('GET', '/photos?limit=500')).json()) as Photo[], // the contract's reply
  }
  return { user, socket }
}

/** Makes a running program, with the embedded database of its data folder, a server for tests. */
export async function testServer(
  { address, stop }: { address: string; stop(): Promise<unknown> },
  dataDir: string,
): Promise<TestServer> {
  const connection = findEmbeddedPostgres(dataDir)
  if (!connection) throw new Error('the database of the server is not running')
  const database = new Client(connection)
  await database.connect()
  const sockets: WebSocket[] = []
  return {
    address,
    database,
    async createUsers(count) {
      const users: TestUser[] = []
      while (users.length < count) {
        const { user, socket } = await createUser(address, database)
        users.push(user)
        sockets.push(socket)
      }
      return users
    },
    async stop() {
      for (const socket of sockets) socket.terminate()
      await database.end()
      await stop()
    },
  }
}

/**
 * Starts the program in a data folder of its own, with the options of npm start, except that it trusts X-Forwarded-For from
 * loopback. It ends when this process does.
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
  return testServer(program, dataDir)
}
