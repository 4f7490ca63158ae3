import { fstatSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { clientKey } from './client-address.ts'
import { descriptorOf } from './connections.ts'
import type { HttpServer } from './http-types.ts'

/** Limits of answers that nobody reads; docs/security.md T51. An answer that moves is not limited. */
export const unreadLimits = {
  /** Without a byte taken for this long, an answer counts as stalled. */
  stalledMs: 10_000,
  /** Stalled answers of one client that stay; those that are stalled for longest are ended first. */
  perClient: 64,
  /** Without a byte taken for this long, any answer is ended. */
  endMs: 180_000,
  checkMs: 2_000,
}

/**
 * The bytes that the other sides of these connections have not taken yet, as far as the system tells: what the kernel has to
 * send, and, of a proxy on this machine, what it has not read.
 */
type ReadUntaken = (sockets: readonly Socket[]) => Promise<ReadonlyMap<Socket, number>>

const connectionTables = ['/proc/net/tcp', '/proc/net/tcp6']
/** Local address, remote address, bytes to send, bytes to read, inode. */
const tableLine = /^ *\d+: (\S+) (\S+) \S+ ([\dA-F]+):([\dA-F]+) \S+ \S+ +\d+ +\d+ (\d+) /gm

/** Linux's tables of connections; elsewhere nothing is known. */
export const readUntaken: ReadUntaken = async (sockets) => {
  const tables = await Promise.all(connectionTables.map((path) => readFile(path, 'latin1').catch(() => '')))
  const sends = new Map<string, { toSend: number; peer: string }>()
  const toRead = new Map<string, number>()
  // An IPv4 address is written in two ways, by a server of both versions and by its client.
  for (const line of tables.join('').replaceAll('0000000000000000FFFF0000', '').matchAll(tableLine)) {
    const [, local = '', remote = '', sending = '', reading = '', inode = ''] = line
    if (sending !== '00000000') sends.set(inode, { toSend: Number.parseInt(sending, 16), peer: `${remote} ${local}` })
    if (reading !== '00000000') toRead.set(`${local} ${remote}`, Number.parseInt(reading, 16))
  }
  const untaken = new Map<Socket, number>()
  for (const socket of sockets) {
    const descriptor = descriptorOf(socket)
    const sent = descriptor === undefined ? undefined : sends.get(String(fstatSync(descriptor).ino))
    if (sent) untaken.set(socket, sent.toSend + (toRead.get(sent.peer) ?? 0))
  }
  return untaken
}

/** A connection with requests, over which an answer may be waiting. */
interface Connection {
  /** Of the last request. */
  client: string
  /** The bytes that the kernel has taken; undefined while nothing waits for it. */
  taken?: number
  takenAt: number
  /** What its other side has not taken yet, and since when that is known and has not changed. */
  untaken?: { bytes: number; since: number } | undefined
}

/**
 * Ends answers that nobody reads. The program sees only what the kernel takes, which is megabytes at once: so what the other
 * side has taken is asked for when many seem to be stalled, and before any is ended.
 */
export function createUnreadAnswers({
  read = readUntaken,
  nowMs = () => performance.now(),
  limits: { stalledMs, perClient, endMs } = unreadLimits,
}: {
  read?: ReadUntaken
  nowMs?: () => number
  limits?: Omit<typeof unreadLimits, 'checkMs'>
} = {}): {
  /** A request has come over a connection. */
  add(socket: Socket, client: string): void
  /** The connection has become something else. */
  remove(socket: Socket): void
  /** Ends what has to end; to be called every two seconds. */
  check(): Promise<void>
} {
  const connections = new Map<Socket, Connection>()
  let readAt = -Infinity

  /** Those over which no byte has moved for a while, by client. */
  function findSeemingStalled(now: number): [Socket, Connection][] {
    return [...connections].filter(([socket, connection]) => {
      const { bytesWritten, writableLength } = socket
      if (writableLength === 0) {
        delete connection.taken
        return false
      }
      const taken = bytesWritten - writableLength
      if (taken !== connection.taken) Object.assign(connection, { taken, takenAt: now, untaken: undefined })
      return now - connection.takenAt >= stalledMs
    })
  }

  const byClient = (found: [Socket, Connection][]): [Socket, Connection][][] =>
    Object.values(Object.groupBy(found, ([, { client }]) => client)).filter((group) => group !== undefined)

  return {
    add(socket, client) {
      const known = connections.get(socket)
      if (known) {
        known.client = client
        return
      }
      connections.set(socket, { client, takenAt: 0 })
      socket.once('close', () => connections.delete(socket))
    },
    remove: (socket) => void connections.delete(socket),
    async check() {
      const now = nowMs()
      const seeming = findSeemingStalled(now)
      const isCrowded = byClient(seeming).some((group) => group.length > perClient)
      const isDue = ([, { untaken, takenAt }]: [Socket, Connection]): boolean =>
        now - (untaken?.since ?? takenAt) >= endMs
      // Without an answer that is new or due, now and then is enough.
      const mustRead = isCrowded || seeming.some((one) => one[1].untaken === undefined || isDue(one))
      if (seeming.length > 0 && (mustRead || now - readAt >= stalledMs)) {
        readAt = now
        const untaken = await read(seeming.map(([socket]) => socket))
        for (const [socket, connection] of seeming) {
          const bytes = untaken.get(socket)
          if (bytes === undefined) connection.untaken = undefined
          else if (bytes !== connection.untaken?.bytes) connection.untaken = { bytes, since: now }
        }
      }
      const end = ([socket]: [Socket, Connection]): void => {
        connections.delete(socket)
        socket.resetAndDestroy()
      }
      for (const one of seeming.filter(isDue)) end(one)
      const isStalled = ([socket, { untaken }]: [Socket, Connection]): boolean =>
        connections.has(socket) && untaken !== undefined && now - untaken.since >= stalledMs
      const stalledSince = (one: [Socket, Connection]) => one[1].untaken?.since ?? 0
      for (const group of byClient(seeming.filter(isStalled))) {
        group.sort((a, b) => stalledSince(a) - stalledSince(b) || a[1].takenAt - b[1].takenAt)
        for (const one of group.slice(0, Math.max(0, group.length - perClient))) end(one)
      }
    },
  }
}

/** Ends answers that nobody reads, while the server runs. */
export function endUnreadAnswers(app: HttpServer): void {
  const unreadAnswers = createUnreadAnswers()
  app.addHook('onRequest', (req, _reply, done) => {
    unreadAnswers.add(req.raw.socket, clientKey(req.ip))
    done()
  })
  app.server.on('upgrade', ({ socket }) => unreadAnswers.remove(socket))
  const timer = setInterval(
    () =>
      void unreadAnswers
        .check()
        .catch((error: unknown) => app.log.warn({ err: error }, 'unread answers were not checked')),
    unreadLimits.checkMs,
  )
  timer.unref()
  app.server.once('close', () => clearInterval(timer))
}
