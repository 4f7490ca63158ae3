import type { WebSocket } from 'ws'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import { liveLimits } from '@keepsnap/contract/limits.ts'
import type { BusEvent } from '@keepsnap/server/live/bus.ts'
import { openLiveSocket } from '../live-connection.ts'
import { atMost, measured, type BenchOptions, type Measurement, type BenchmarkPart } from '../measurement.ts'
import { itemAt } from '../round-robin.ts'
import { smallPhoto } from '../sample-photos.ts'
import { quantile } from '../statistics.ts'
import { startTestServer, type TestServer } from '../test-server.ts'

const userCount = 20
const socketsPerUser = liveLimits.socketsPerUser
const timeoutMs = 10_000

/** A user with one photo and as many sockets as one user may have. */
interface Receiver {
  userId: string
  photoId: string
  sockets: WebSocket[]
}

async function openReceivers(server: TestServer): Promise<Receiver[]> {
  const file = await smallPhoto()
  const receivers: Receiver[] = []
  for (const user of await server.createUsers(userCount)) {
    const photo = await user.addPhoto(file)
    const sockets = [user.live.socket]
    while (sockets.length < socketsPerUser) sockets.push(await openLiveSocket(server.program.address, user.token))
    receivers.push({ userId: user.id, photoId: photo.id, sockets })
  }
  return receivers
}

function nextMessage(socket: WebSocket): Promise<{ at: number; data: Buffer }> {
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => reject(new Error('a socket received nothing')), timeoutMs)
    socket.once('message', (data: Buffer) => {
      const at = performance.now()
      clearTimeout(timeout)
      resolve({ at, data })
    })
  })
}

/** When each socket received the next photo_update, by `performance.now()`. Messages are parsed after all have arrived. */
async function updateTimes({ sockets, photoId }: Receiver): Promise<number[]> {
  const messages = await Promise.all(sockets.map(nextMessage))
  return messages.map(({ at, data }) => {
    const message = JSON.parse(data.toString()) as ServerMessage // the contract's message
    if (message.action !== 'photo_update' || message.photo.id !== photoId) throw new Error('received another message')
    return at
  })
}

/** Milliseconds from sending the statement that commits. */
interface Round {
  /** Of each socket. */
  sockets: number[]
  /** Of the last socket of each user. */
  lastSockets: number[]
}

type Publish = (events: BusEvent[]) => Promise<unknown>

/** One change of a photo for each of the users, in one transaction. */
async function measureRound(receivers: Receiver[], publish: Publish): Promise<Round> {
  const received = Promise.all(receivers.map(updateTimes))
  const startedAt = performance.now()
  await publish(
    receivers.map(({ userId, photoId }) => ({ kind: 'photo', what: 'changed', user: userId, photo: photoId })),
  )
  const times = (await received).map((ofUser) => ofUser.map((at) => at - startedAt))
  return { sockets: times.flat(), lastSockets: times.map((ofUser) => Math.max(...ofUser)) }
}

async function runFanout({ scratchDir, quick, log }: BenchOptions): Promise<Measurement[]> {
  const server = await startTestServer(scratchDir)
  const receivers = await openReceivers(server)
  const database = await server.connectDatabase()
  const publish: Publish = (events) =>
    database.query(`select pg_notify('keepsnap', event) from unnest($1::text[]) event`, [
      events.map((event) => JSON.stringify(event)),
    ])
  const warmUpRounds = 20
  for (let round = 0; round < warmUpRounds; round++) await measureRound(receivers, publish)
  const allUsers: Round[] = []
  const oneUser: Round[] = []
  for (let round = 0; round < (quick ? 20 : 100); round++) {
    allUsers.push(await measureRound(receivers, publish))
    oneUser.push(await measureRound([itemAt(receivers, round)], publish))
  }
  for (const { sockets } of receivers) for (const socket of sockets) socket.terminate()
  await server.stop()
  const quantiles = (rounds: Round[], of: keyof Round, share: number): number[] =>
    rounds.map((round) => quantile(round[of], share))
  const results = [
    atMost(measured('all users at once: each socket, p50', 'ms', quantiles(allUsers, 'sockets', 0.5)), 25),
    measured('all users at once: each socket, p95', 'ms', quantiles(allUsers, 'sockets', 0.95)),
    atMost(
      measured('all users at once: last socket of each user, p50', 'ms', quantiles(allUsers, 'lastSockets', 0.5)),
      25,
    ),
    measured('all users at once: last socket of all', 'ms', quantiles(allUsers, 'sockets', 1)),
    atMost(measured('one user: last socket', 'ms', quantiles(oneUser, 'lastSockets', 1)), 25),
  ]
  for (const { name, values } of results) log(`${name}: ${values.median} ms`)
  return results
}

export const fanout: BenchmarkPart = {
  name: 'fanout',
  title: 'Updates to a thousand sockets',
  method:
    `${userCount} users with ${socketsPerUser} sockets each in one receiving process. A change of a photo is published as the program publishes it; measured from the moment when ` +
    'the statement that commits it is sent. For each change the server reads the photo from the database. Each round is one run.',
  run: runFanout,
}
