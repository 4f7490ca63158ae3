import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createUnreadAnswers, readUntaken, unreadLimits } from './unread-answers.ts'

const { perClient } = unreadLimits

/** A connection as the rule sees it: what Node waits to write, and what the kernel has not sent (unless unknown). */
interface FakeSocket {
  bytesWritten: number
  writableLength: number
  untaken: number | null
  isEnded: boolean
}

function createRule() {
  let now = 0
  let reads = 0
  const sockets: FakeSocket[] = []
  const rule = createUnreadAnswers({
    async read(asked) {
      reads += 1
      const fakes = asked as unknown as FakeSocket[]
      return new Map(fakes.filter((one) => one.untaken !== null).map((one) => [one, one.untaken])) as never
    },
    nowMs: () => now,
  })
  return {
    add(count: number, client: string, untaken: number | null = 4_000_000): FakeSocket[] {
      return Array.from({ length: count }, () => {
        const fake = { bytesWritten: 4_016_384, writableLength: 16_384, untaken, isEnded: false }
        const socket = Object.assign(fake, { once: () => {}, resetAndDestroy: () => (fake.isEnded = true) })
        rule.add(socket as unknown as Socket, client)
        sockets.push(fake)
        return fake
      })
    },
    /** Lets seconds pass; `move` is called before each check. */
    async pass(seconds: number, move = (): void => {}): Promise<void> {
      for (const end = now + seconds * 1000; now < end; now += unreadLimits.checkMs) {
        move()
        await rule.check()
      }
    },
    reads: () => reads,
  }
}
const endedOf = (answers: FakeSocket[]): number => answers.filter(({ isEnded }) => isEnded).length

test('of the answers to one client that nobody reads 64 stay, and the longest stalled are ended first', async () => {
  const { add, pass } = createRule()
  const first = add(10, 'a')
  await pass(4)
  const second = add(perClient, 'a')
  const others = ['b', 'c', 'd'].map((client) => add(perClient, client))
  await pass(18)
  expect([endedOf(first), endedOf(second)]).toEqual([0, 0])
  await pass(10)
  expect([endedOf(first), endedOf(second), ...others.map(endedOf)]).toEqual([10, 0, 0, 0, 0])
})

test('answers that move are neither counted nor ended, however slow and however many they are', async () => {
  const { add, pass } = createRule()
  // The kernel has taken all at once, and Node sees nothing for minutes.
  const slow = add(300, 'venue')
  const unread = add(perClient, 'venue')
  let turn = 0
  const moveEveryEightSeconds = (): void => {
    turn += 1
    for (const one of slow.filter((_, n) => n % 4 === turn % 4)) one.untaken = (one.untaken ?? 0) - 1
  }
  await pass(170, moveEveryEightSeconds)
  expect([endedOf(slow), endedOf(unread)]).toEqual([0, 0])
  await pass(30, moveEveryEightSeconds)
  expect([endedOf(slow), endedOf(unread)]).toEqual([0, perClient])
})

test('any answer is ended after 180 s without a byte, also where the system tells nothing; there, none is counted', async () => {
  const { add, pass } = createRule()
  const one = add(1, 'a')
  const untold = add(300, 'b', null)
  await pass(178)
  expect([endedOf(one), endedOf(untold)]).toEqual([0, 0])
  await pass(16)
  expect([endedOf(one), endedOf(untold)]).toEqual([1, 300])
})

test('while nothing seems to be stalled, nothing is asked of the system', async () => {
  const { add, pass, reads } = createRule()
  const all = add(500, 'a')
  await pass(60, () => all.forEach((one) => (one.bytesWritten += 16_384)))
  for (const one of all) one.writableLength = 0
  await pass(60)
  expect(reads()).toBe(0)
})

/** A server whose answers the kernel cannot take as a whole, and clients that have asked and read nothing. */
async function unreadFrom(host: string, count: number, onRequest = (_socket: Socket): void => {}): Promise<Socket[]> {
  const body = Buffer.alloc(16 * 1024 * 1024)
  const server = createServer((req, res) => {
    onRequest(req.socket)
    res.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const clients = Array.from({ length: count }, () =>
    connect(port, '127.0.0.1')
      .pause()
      .on('error', () => {}),
  )
  onTestFinished(() => {
    for (const client of clients) client.destroy()
    server.close()
  })
  for (const client of clients) {
    client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    await once(client, 'readable')
  }
  return clients
}
const isLinux = process.platform === 'linux'

test.for(['127.0.0.1', '::'])(
  'a server on %s sees what a client takes, also when Node sees nothing',
  async (host, { skip }) => {
    skip(!isLinux, 'needs /proc')
    const sockets: Socket[] = []
    const [client] = await unreadFrom(host, 1, (socket) => sockets.push(socket))
    const untaken = async (): Promise<number> => [...(await readUntaken(sockets)).values()][0] ?? 0
    await expect.poll(untaken).toBeGreaterThan(100_000)
    let before = -1
    await expect.poll(async () => before === (before = await untaken())).toBe(true)
    const pending = sockets[0]?.writableLength
    client?.read(1_000)
    await expect.poll(untaken).toBe(before - client!.bytesRead)
    expect(sockets[0]?.writableLength).toBe(pending)
  },
)

test('on real connections, those that nobody reads are reset', async ({ skip }) => {
  skip(!isLinux, 'needs /proc')
  let now = 0
  const limits = { ...unreadLimits, perClient: 2 }
  const rule = createUnreadAnswers({ nowMs: () => now, limits })
  const sockets: Socket[] = []
  const [reader] = await unreadFrom('127.0.0.1', 5, (socket) => {
    sockets.push(socket)
    rule.add(socket, 'a')
  })
  for (; now <= 30_000; now += unreadLimits.checkMs) {
    await rule.check()
    // Its buffer, which is filled again.
    reader?.read()
    await delay(5)
  }
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, true, true, false, false])
})
