import { stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { newId } from '../../lib/ids.ts'
import { storeStream } from '../../ports/storage/storage.ts'
import { makeApiUser, makeUser, multipartForm, upload } from '../test-data.ts'
import { logWithSeed, repetitions, seededRandom } from '../statistics.ts'
import { newClientAddress, useServer } from '../harness.ts'
import { countLockWaits } from '../cloned-database.ts'
import {
  expectConsistent,
  filesBelow,
  openFiles,
  runOverdueWork,
  storedFilePath,
  timesOpen,
} from '../consistency-check.ts'
import { rawConnection, type RawConnection } from '../raw-connection.ts'

let address: string
/** Open connections to the server, the newest one last. */
const sockets = new Set<Socket>()
const photo = await jpeg({ width: 1200, height: 900 })
const server = useServer({ LOG_LEVEL: 'silent' })
beforeAll(async () => {
  address = await server.listen()
  server.app.http?.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
})
afterEach(() => vi.useRealTimers())

/** An upload as it goes over the wire. */
function uploadBytes(token: string, file: Buffer): Buffer {
  const form = multipartForm(file)
  const lines = [
    'POST /photos/upload HTTP/1.1',
    'Host: photos.test',
    `Authorization: Bearer ${token}`,
    `X-Forwarded-For: ${newClientAddress()}`,
    `Content-Type: ${form.headers['content-type']}`,
    `Content-Length: ${form.body.length}`,
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), form.body])
}

/** Files and sockets that this process has open, apart from those to the database. */
const held = (): number => openFiles() - server.app.deps.pool.totalCount

/** All connections have closed and no upload is in progress, even without the clean-up job. */
async function expectCalm(): Promise<void> {
  // The emails that welcomed its users.
  await server.work()
  await expect.poll(() => sockets.size).toBe(0)
  await vi.waitFor(() => expectConsistent(server), { timeout: 60_000, interval: 100 })
}

describe('a client that disconnects during an upload', () => {
  test('leaves nothing behind, at any point of the upload', async () => {
    const rounds = repetitions(4, 1_000)
    const random = seededRandom('aborts')
    let user = await makeApiUser(server)
    await server.work()
    const calm = held()
    const lane = async (from: number): Promise<void> => {
      for (let n = from; n < rounds; n += 4) {
        // One user may upload 60 times a minute.
        if (n % 40 === 39) user = await makeApiUser(server)
        const bytes = uploadBytes(user.token, photo)
        const connection = await rawConnection(address)
        const at = n === 0 ? bytes.length - 1 : random.integerBelow(bytes.length)
        // Sometimes in two parts, so that the first one is already being stored.
        const middle = random.oneIn(2) ? random.integerBelow(at + 1) : at
        await connection.write(bytes.subarray(0, middle))
        if (middle < at) {
          await new Promise((resolve) => setTimeout(resolve, random.integerBelow(20)))
          await connection.write(bytes.subarray(middle, at))
        }
        if (random.oneIn(2)) connection.socket.resetAndDestroy()
        else connection.close()
      }
    }
    await Promise.all([0, 1, 2, 3].map(lane))
    logWithSeed(`${rounds} uploads broken off`)
    await expectCalm()
    await expect.poll(held).toBeLessThanOrEqual(calm + 4)
    expect((await upload(server, await makeApiUser(server), photo)).statusCode).toBe(201)
    await runOverdueWork(server)
    await expectConsistent(server)
  })

  test('does not block an upload that waits in the queue', async () => {
    const user = await makeApiUser(server)
    const bytes = uploadBytes(user.token, photo)
    const slow = await Promise.all(Array.from({ length: 8 }, () => rawConnection(address)))
    for (const connection of slow) void connection.write(bytes.subarray(0, 20_000))
    await expect
      .poll(async () => (await server.app.deps.pool.query("select 1 from photos where state = 'receiving'")).rowCount)
      .toBe(3)
    const last = upload(server, user, photo)
    for (const connection of slow) connection.close()
    expect((await last).statusCode).toBe(201)
    await runOverdueWork(server)
    await expectCalm()
  })
})

describe('an upload whose quota is still being reserved', () => {
  test('is refused before its body has arrived, when the quota is used up', async () => {
    const user = await makeUser(server)
    await server.app.deps.pool.query(
      "insert into usage_months values ($1, date_trunc('month', now() at time zone 'utc')::date, 10)",
      [user.id],
    )
    const connection = await rawConnection(address)
    const bytes = uploadBytes(user.token, photo)
    await connection.write(bytes.subarray(0, bytes.length - 100))
    const [answer] = await connection.next(1)
    expect([answer!.status, JSON.parse(answer!.body.toString()).code]).toEqual([403, 'quota_photos'])
    connection.close()
    await server.app.deps.pool.query('delete from usage_months where user_id = $1', [user.id])
    await expectCalm()
  })

  test('is not moved into the store yet', async () => {
    const user = await makeUser(server)
    const held = await server.app.deps.pool.connect()
    onTestFinished(() => held.release())
    await held.query('begin')
    await held.query('select 1 from users where id = $1 for update', [user.id])
    const coming = upload(server, user, photo)
    // The whole file has been received, except for metadata, which is not stored.
    const incoming = async (): Promise<number> => {
      const [path] = await filesBelow(join(server.dir, 'files', 'incoming'))
      return path === undefined ? 0 : (await stat(path)).size
    }
    await expect.poll(incoming).toBeGreaterThan(photo.length - 1000)
    await expect.poll(() => countLockWaits(server.app.deps.pool)).toBe(1)
    expect(await filesBelow(join(server.dir, 'files', 'orig'))).toEqual([])
    await held.query('commit')
    expect((await coming).statusCode).toBe(201)
    await runOverdueWork(server)
    await expectCalm()
  })
})

/** Lets the clock of the server run, but none of the timers that the tests themselves wait for. */
const holdClock = (): void => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })

describe('a client that sends too slowly', () => {
  test('is refused after ten seconds, and nothing of its photo is left', async () => {
    holdClock()
    const count = repetitions(6, 500)
    const users = await Promise.all(Array.from({ length: Math.ceil(count / 3) }, async () => makeUser(server)))
    await server.work()
    const calm = held()
    const dribbling: RawConnection[] = []
    for (let n = 0; n < count; n++) {
      const connection = await rawConnection(address)
      await connection.write(uploadBytes(users[n % users.length]!.token, photo).subarray(0, 3_000 + n))
      dribbling.push(connection)
    }
    const coming = async () =>
      (await server.app.deps.pool.query("select 1 from photos where state = 'receiving'")).rowCount
    await expect.poll(coming).toBe(count)
    await vi.advanceTimersByTimeAsync(9_000)
    for (const connection of dribbling) await connection.write('x')
    expect(dribbling.every((connection) => connection.received().length === 0)).toBe(true)
    expect((await server.request({ method: 'GET', url: '/health' })).statusCode).toBe(200)
    await vi.advanceTimersByTimeAsync(4_000)
    for (const connection of dribbling) {
      const [answer] = await connection.next(1)
      expect([answer!.status, JSON.parse(answer!.body.toString()).detail]).toEqual([
        400,
        'The upload was too slow and was cancelled. Please try again on a better connection.',
      ])
    }
    for (const connection of dribbling) connection.close()
    vi.useRealTimers()
    await expectCalm()
    await expect.poll(held).toBeLessThanOrEqual(calm + 4)
  })

  test('is cut off in small bodies, too', async () => {
    holdClock()
    const begun = [
      ['/register', 'application/json', '{"email":"a@example.com"'],
      ['/token', 'application/x-www-form-urlencoded', 'username=a'],
      ['/token', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="username"\r\n\r\na'],
    ]
    const connections = await Promise.all(begun.map(() => rawConnection(address)))
    for (const [n, [path, type, body]] of begun.entries())
      await connections[n]!.write(
        `POST ${path} HTTP/1.1\r\nHost: photos.test\r\nX-Forwarded-For: ${newClientAddress()}\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n${body}`,
      )
    // The time that a body may take begins when its headers have been handled.
    const areOver = async (): Promise<boolean[]> => {
      await vi.advanceTimersByTimeAsync(1_000)
      return Promise.all(connections.map(async (one) => one.answers().length > 0 || (await one.ended(1))))
    }
    await expect.poll(areOver).toEqual([true, true, true])
    for (const connection of connections) {
      expect(connection.answers()[0]?.status ?? 400).toBe(400)
      connection.close()
    }
  })
})

test('a client that never reads its download is disconnected, and the file is closed', async () => {
  const user = await makeUser(server)
  await upload(server, user, photo)
  await server.work()
  const { storage, pool } = server.app.deps
  const size = 40 * 1024 * 1024
  const key = `full/${newId()}`
  await storeStream(storage, key, { source: Readable.from([Buffer.alloc(size, 1)]), type: 'image/jpeg' })
  const [{ b2_url: before, qr_code_url: code }] = (
    await server.request({ method: 'GET', url: '/photos', token: user.token })
  ).json<Photo[]>() as [Photo]
  expect(before).not.toBeNull()
  await pool.query('insert into stored_objects (key, photo_id) select $1, id from photos where user_id = $2', [
    key,
    user.id,
  ])
  await pool.query('update photos set full_key = $1, full_bytes = $2 where user_id = $3', [key, size, user.id])
  const opened = (): number => timesOpen(storedFilePath(server, key))
  const connection = await rawConnection(address)
  connection.socket.pause()
  const path = new URL(code).pathname.replace('/qr', '').replace('.png', '')
  await connection.write(`GET ${path} HTTP/1.1\r\nHost: photos.test\r\nX-Forwarded-For: ${newClientAddress()}\r\n\r\n`)
  await expect.poll(opened).toBe(1)
  // Minutes in production.
  for (const socket of sockets) socket.setTimeout(500)
  await expect.poll(opened).toBe(0)
  await expect.poll(() => sockets.size).toBe(0)
  connection.close()
  await runOverdueWork(server)
  await expectConsistent(server)
})

test('connections over the limit are refused, and accepted again when others close', async () => {
  const http = server.app.http!.server
  const { maxConnections } = http
  onTestFinished(() => void (http.maxConnections = maxConnections))
  // Thousands in production.
  expect(maxConnections).toBeGreaterThanOrEqual(1_000)
  http.maxConnections = 20
  const open = await Promise.all(Array.from({ length: 40 }, () => rawConnection(address)))
  const countOpen = async (): Promise<number> =>
    (await Promise.all(open.map((connection) => connection.ended(0)))).filter((over) => !over).length
  await expect.poll(countOpen).toBeLessThanOrEqual(20)
  for (const connection of open) connection.close()
  await expect
    .poll(async () => {
      const connection = await rawConnection(address)
      await connection.write('GET /health HTTP/1.1\r\nHost: photos.test\r\nConnection: close\r\n\r\n')
      await connection.ended(1_000)
      return connection.answers()[0]?.status
    })
    .toBe(200)
})
