import type { WebSocket } from 'ws'
import { liveLimits } from '@keepsnap/contract/limits.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { openLiveSocket } from '../live-connection.ts'
import { measured, type BenchOptions, type Measurement } from '../measurement.ts'
import { processMemory } from '../process-memory.ts'
import { smallPhoto } from '../sample-photos.ts'
import type { TestServer, TestUser } from '../test-server.ts'
import { measureCost, measureIdle, type MeasuredServer } from './measure-cost.ts'

const userCount = 20
const settleMs = 3_000
/** Longer than the silence after which the server pings. */
const idleMs = 65_000

interface Listener {
  user: TestUser
  photoId: string
  sockets: WebSocket[]
}

async function openSockets(server: TestServer): Promise<{ listeners: Listener[]; open(): Promise<void> }> {
  const file = await smallPhoto()
  const listeners: Listener[] = []
  for (const user of await server.createUsers(userCount))
    listeners.push({ user, photoId: (await user.addPhoto(file)).id, sockets: [] })
  const open = async (): Promise<void> => {
    for (const { user, sockets } of listeners)
      while (sockets.length < liveLimits.socketsPerUser - 1)
        sockets.push(await openLiveSocket(server.program.address, user.token))
  }
  return { listeners, open }
}

/** What sockets cost: memory, silence, and each message. */
export async function measureSockets(
  measuredServer: MeasuredServer,
  server: TestServer,
  { quick, log }: BenchOptions,
): Promise<Measurement[]> {
  const { pid, database } = measuredServer
  const { listeners, open } = await openSockets(server)
  await wait(settleMs)
  const before = processMemory([pid])
  await open()
  await wait(settleMs)
  const after = processMemory([pid])
  const count = listeners.reduce((total, { sockets }) => total + sockets.length, 0)
  const silent = await measureIdle(measuredServer, quick ? settleMs : idleMs)
  const events = listeners.map(({ user, photoId }) =>
    JSON.stringify({ kind: 'photo', what: 'changed', user: user.id, photo: photoId }),
  )
  const cost = await measureCost(measuredServer, 'update of one photo to the 50 sockets of its owner', {
    count: quick ? 10 : 100,
    rounds: 3,
    inFlight: 1,
    async action() {
      await database.query(`select pg_notify('keepsnap', event) from unnest($1::text[]) event`, [events])
      const restMs = 30
      await wait(restMs)
    },
  })
  for (const { sockets } of listeners) for (const socket of sockets) socket.terminate()
  const perEvent = cost.map(({ name, unit, values }) =>
    measured(
      name,
      unit,
      values.runs.map((value) => value / listeners.length),
    ),
  )
  const results = [
    measured('memory per socket', 'KB', [((after.rss - before.rss) * 1024) / count]),
    measured('CPU per silent socket', 'ms per minute', [
      (Math.max(0, silent.program - measuredServer.idle.program) * 60) / count,
    ]),
    ...perEvent,
  ]
  for (const { name, unit, values } of results) log(`${name}: ${values.median} ${unit}`)
  return results
}
