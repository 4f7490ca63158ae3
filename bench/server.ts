import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { Client } from 'pg'
import { WebSocket } from 'ws'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { startProgram } from '../e2e/program.ts'
import { newVisitor, type Visitor } from '../e2e/visitor.ts'
import { findEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts'
import { freePort } from '../server/test/child-processes.ts'

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

/**
 * Uploads one file over a kept-alive connection; rejects unless the response is 201. The same for product and baseline.
 * `headers`: who uploads.
 */
export async function uploadTimed(
  address: string,
  file: Buffer,
  { headers: credentials = {}, path = '/photos/upload' }: { headers?: Record<string, string>; path?: string } = {},
): Promise<TimedUpload> {
  const headers = {
    ...credentials,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': head.length + file.length + tail.length,
  }
  const outgoing = request(`${address}${path}`, { method: 'POST', agent, headers })
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

export interface TestServer {
  address: string
  /** Its process, or the one that started it. */
  pid: number
  database: Client
  createUsers(count: number): Promise<TestUser[]>
  stop(): Promise<void>
}

interface Updates {
  thumbnailAt: number
  complete: PromiseWithResolvers<number>
}

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
      const { lastByteAt, respondedAt, body } = await uploadTimed(address, file, {
        headers: { authorization: `Bearer ${visitor.token}` },
      })
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
  { address, pid, stop }: { address: string; pid: number; stop(): Promise<unknown> },
  dataDir: string,
): Promise<TestServer> {
  const connection = findEmbeddedPostgres(dataDir)
  if (!connection) throw new Error('the database of the server is not running')
  const database = new Client(connection)
  await database.connect()
  const sockets: WebSocket[] = []
  return {
    address,
    pid,
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

/** Width and height of the sizes that are measured. */
const photoSizes = { '6 MP': [2900, 2160], '12 MP': [4000, 3000], '24 MP': [6000, 4000] } as const
type PhotoSize = keyof typeof photoSizes

/** Two files with the same coded image data. */
export interface SamplePhoto {
  /** A JPEG that the product stores without re-encoding. */
  kept: Buffer<ArrayBuffer>
  /** The same with a comment after its scan: decoders ignore it, but the product's strict reader has such files re-encoded. */
  reencoded: Buffer<ArrayBuffer>
}

const sampleFolder = join(tmpdir(), 'keepsnap-bench-pictures')
/** Part of the file names: increment it to regenerate the files. */
const formatVersion = 2

/** Reproducible noise from -1 to 1, mostly near 0, like that of a sensor. */
function createNoise(): () => number {
  let state = 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return ((state & 255) + ((state >>> 8) & 255) - 255) / 255
  }
}

/** Soft shapes with sensor noise: about as many bytes per pixel as photos of phones have. */
async function createPhoto(width: number, height: number): Promise<Buffer<ArrayBuffer>> {
  const noise = createNoise()
  const seedSize = { width: Math.round(width / 40), height: Math.round(height / 40) }
  const seeds = Buffer.from(Array.from({ length: seedSize.width * seedSize.height * 3 }, () => 128 + noise() * 110))
  const blurredPixels = await sharp(seeds, { raw: { ...seedSize, channels: 3 } })
    .blur(1.2)
    .resize(width, height, { kernel: 'cubic', fit: 'fill' })
    .raw()
    .toBuffer()
  let shift = 0
  for (const [index, value] of blurredPixels.entries()) {
    // The same for the three channels of a pixel.
    if (index % 3 === 0) shift = noise() * 19
    blurredPixels[index] = Math.max(0, Math.min(255, value + shift))
  }
  const jpeg = await sharp(blurredPixels, { raw: { width, height, channels: 3 } })
    .withExif({ IFD0: { Make: 'Bench', Model: 'Sample' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1' } })
    .jpeg({ quality: 92, chromaSubsampling: '4:2:0', optimiseCoding: false })
    .toBuffer()
  return Buffer.from(jpeg)
}

/** A sample photo, created once and cached in the system's temporary folder. */
export async function sampleOf(size: PhotoSize): Promise<SamplePhoto> {
  const [width, height] = photoSizes[size]
  const samplePath = join(sampleFolder, `${formatVersion}-${width}x${height}.jpg`)
  if (!existsSync(samplePath)) {
    mkdirSync(sampleFolder, { recursive: true })
    writeFileSync(`${samplePath}.${process.pid}`, await createPhoto(width, height))
    renameSync(`${samplePath}.${process.pid}`, samplePath)
  }
  const keptJpeg = Buffer.from(readFileSync(samplePath))
  const comment = Buffer.from([0xff, 0xfe, 0x00, 0x06, 0x62, 0x65, 0x6e, 0x63])
  return { kept: keptJpeg, reencoded: Buffer.concat([keptJpeg.subarray(0, -2), comment, keptJpeg.subarray(-2)]) }
}

export const smallPhoto = async (): Promise<Buffer<ArrayBuffer>> => createPhoto(800, 600)
