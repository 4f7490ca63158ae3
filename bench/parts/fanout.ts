import { WebSocket } from 'ws'
import type { ServerMessage } from '@keepsnap/contract/live.ts'
import { liveLimits } from '@keepsnap/contract/limits.ts'
import { atMost, found, type Bench, type Finding, type Part } from '../measurement.ts'
import { openHouse, type Guest, type House } from '../test-server.ts'
import { quantile } from '../statistics.ts'
import { smallPhoto } from '../sample-photos.ts'
import { openSocket } from '../live-connection.ts'

const users = 20
const socketsEach = liveLimits.socketsPerUser
const lateMs = 10_000

/** A user with a photo, and all the screens that one user may have. */
interface Crowd {
  guest: Guest
  photoId: string
  sockets: WebSocket[]
}

async function gather(house: House): Promise<Crowd[]> {
  const small = await smallPhoto()
  const crowds: Crowd[] = []
  for (const guest of await house.guests(users)) {
    const { photo } = await guest.send(small)
    await guest.screen.complete(photo.id)
    const sockets = [guest.screen.socket]
    while (sockets.length < socketsEach) sockets.push(await openSocket(house.program.address, guest.token))
    crowds.push({ guest, photoId: photo.id, sockets })
  }
  return crowds
}

/** When each socket has heard the user's next photo_update, by `performance.now()`. Messages are read when all are in. */
function arrivals({ sockets, photoId }: Crowd): Promise<number[]> {
  const heard = sockets.map(
    (socket) =>
      new Promise<{ at: number; data: Buffer }>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('a screen heard nothing')), lateMs)
        socket.once('message', (data: Buffer) => {
          const at = performance.now()
          clearTimeout(late)
          resolve({ at, data })
        })
      }),
  )
  return Promise.all(heard).then((all) =>
    all.map(({ at, data }) => {
      const message = JSON.parse(data.toString()) as ServerMessage // what the contract says
      if (message.action !== 'photo_update' || message.photo.id !== photoId) throw new Error('another message came')
      return at
    }),
  )
}

interface Round {
  /** Of each socket, in milliseconds after the commit was asked for. */
  each: number[]
  /** Of each user, when the last of the screens had it. */
  last: number[]
}

/** One change for each of the users, announced as the program does it, in one transaction that commits at one moment. */
async function change(crowds: Crowd[], commit: (told: string[]) => Promise<unknown>): Promise<Round> {
  const coming = Promise.all(crowds.map(arrivals))
  const began = performance.now()
  await commit(
    crowds.map(({ guest, photoId }) =>
      JSON.stringify({ kind: 'photo', what: 'changed', user: guest.id, photo: photoId }),
    ),
  )
  const times = (await coming).map((ats) => ats.map((at) => at - began))
  return { each: times.flat(), last: times.map((ms) => Math.max(...ms)) }
}

async function run({ scratch, quick, say }: Bench): Promise<Finding[]> {
  const house = await openHouse(scratch)
  const crowds = await gather(house)
  const database = await house.database()
  const commit = (told: string[]): Promise<unknown> =>
    database.query(`select pg_notify('keepsnap', told) from unnest($1::text[]) told`, [told])
  for (let warm = 0; warm < 20; warm++) await change(crowds, commit)
  const together: Round[] = []
  const alone: Round[] = []
  for (let round = 0; round < (quick ? 20 : 100); round++) {
    together.push(await change(crowds, commit))
    alone.push(await change([crowds[round % users]!], commit))
  }
  for (const { sockets } of crowds) for (const socket of sockets) socket.terminate()
  await house.stop()
  const p = (rounds: Round[], of: keyof Round, share: number): number[] =>
    rounds.map((round) => quantile(round[of], share))
  const findings = [
    atMost(found('all users at once: a socket has it, p50', 'ms', p(together, 'each', 0.5)), 25),
    found('all users at once: a socket has it, p95', 'ms', p(together, 'each', 0.95)),
    atMost(found('all users at once: the last of a user’s sockets has it, p50', 'ms', p(together, 'last', 0.5)), 25),
    found('all users at once: the last socket of all has it', 'ms', p(together, 'each', 1)),
    atMost(found('one user: the last of the sockets has it', 'ms', p(alone, 'last', 1)), 25),
  ]
  for (const { what, ours } of findings) say(`${what}: ${ours.median} ms`)
  return findings
}

export const fanout: Part = {
  name: 'fanout',
  title: 'To a thousand open screens',
  how:
    `${users} users with ${socketsEach} sockets each in one receiving process. A change of a photo is announced as the program announces it; time runs from the moment ` +
    'at which the statement that commits it is sent. For each change the server reads the photo from the database. Each round is one run.',
  run,
}
