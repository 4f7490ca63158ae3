import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { startEngine, type EngineName, type MessageBroker } from '../bus/engines.ts'
import { measured, type BenchOptions, type BenchmarkPart, type Measurement } from '../measurement.ts'
import { quantile } from '../statistics.ts'

const engineNames: EngineName[] = ['PostgreSQL', 'Redis', 'NATS']
const socketCounts = [100, 1_000]
const nodeCount = 2
const limitMs = 200
const firstRate = 250
const rateStep = 1.5
const maxRate = 40_000
/** Events that have not arrived after this are counted as this late. */
const patienceMs = 2_000

interface ReceivingNode {
  port: number
  stop(): Promise<void>
}

async function startNode({ address }: MessageBroker): Promise<ReceivingNode> {
  const child = fork(join(import.meta.dirname, '../bus/receiving-node.ts'), [JSON.stringify(address)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const [text] = (await once(child.stdout!, 'data')) as [Buffer] // a pipe, by the options above
  return {
    port: Number(text),
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

/** Two sockets of each user, one at each node; every event reaches both. */
async function openSockets(nodes: readonly ReceivingNode[], count: number, onMessage: (text: string) => void) {
  const sockets: WebSocket[] = []
  for (let n = 0; n < count; n++) {
    const node = nodes[n % nodes.length]
    const socket = new WebSocket(`ws://127.0.0.1:${node?.port}/user${Math.floor(n / nodes.length)}`, {
      perMessageDeflate: false,
    })
    socket.on('message', (data: Buffer) => onMessage(data.toString()))
    sockets.push(socket)
  }
  await Promise.all(sockets.map((socket) => once(socket, 'open')))
  return () => sockets.forEach((socket) => socket.terminate())
}

/** Publishes events at a fixed rate, however long that takes, and measures from the moment at which each was due. */
function createLoad(engine: MessageBroker, users: number) {
  let dueAt: number[] = []
  let delaysMs: number[] = []
  const onMessage = (text: string): void => {
    const due = dueAt[Number(/"id":"(\d+)"/.exec(text)?.[1])]
    if (due !== undefined) delaysMs.push(performance.now() - due)
  }
  const run = async (rate: number, seconds: number): Promise<number> => {
    const count = Math.round(rate * seconds)
    const startedAt = performance.now()
    dueAt = Array.from({ length: count }, (_, n) => startedAt + (n * 1_000) / rate)
    delaysMs = []
    for (let sent = 0; sent < count; await delay(1)) {
      for (; sent < count && (dueAt[sent] ?? 0) <= performance.now(); sent++)
        void engine.publish({ kind: 'photo', what: 'deleted', user: `user${sent % users}`, photo: String(sent) })
    }
    const expected = count * nodeCount
    for (const end = performance.now() + patienceMs; delaysMs.length < expected && performance.now() < end;)
      await delay(5)
    const missing = Array.from({ length: expected - delaysMs.length }, () => patienceMs)
    const p99 = quantile([...delaysMs, ...missing], 0.99)
    // What is still under way must not disturb the next rate.
    for (const end = performance.now() + 20_000; delaysMs.length < expected && performance.now() < end;) await delay(20)
    return p99
  }
  return { onMessage, run }
}

interface Capacity {
  /** The highest rate at which the limit held, of rates that grow by half. */
  eventsPerSecond: number
  quietMs: number
}

async function measureCapacity(engine: MessageBroker, sockets: number, seconds: number): Promise<Capacity> {
  const nodes = await Promise.all(Array.from({ length: nodeCount }, () => startNode(engine)))
  const load = createLoad(engine, sockets / nodeCount)
  const closeSockets = await openSockets(nodes, sockets, load.onMessage)
  await delay(500)
  await load.run(firstRate, 1)
  const quietMs = await load.run(100, seconds)
  let eventsPerSecond = 0
  for (let rate = firstRate; rate <= maxRate; rate *= rateStep) {
    // Once more: another program may have used the processors.
    if ((await load.run(rate, seconds)) > limitMs && (await load.run(rate, seconds)) > limitMs) break
    eventsPerSecond = Math.round(rate)
  }
  closeSockets()
  await Promise.all(nodes.map((node) => node.stop()))
  return { eventsPerSecond, quietMs }
}

async function runBus({ scratchDir, quick, log }: BenchOptions): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  for (const name of engineNames) {
    const engine = await startEngine(name, scratchDir)
    for (const sockets of socketCounts) {
      const capacities: Capacity[] = []
      for (let round = 0; round < (quick ? 1 : 3); round++)
        capacities.push(await measureCapacity(engine, sockets, quick ? 1 : 2))
      const rates = capacities.map(({ eventsPerSecond }) => eventsPerSecond)
      const quiet = capacities.map(({ quietMs }) => quietMs)
      log(
        `${name}, ${sockets} sockets: ${rates.join(', ')} events/s; p99 at 100 events/s ${quiet.map(Math.round).join(', ')} ms`,
      )
      measurements.push(
        measured(`${name}, ${sockets} sockets: events with p99 <= ${limitMs} ms`, '/s', rates),
        measured(`${name}, ${sockets} sockets: p99 at 100 events/s`, 'ms', quiet),
      )
    }
    await engine.stop()
  }
  return measurements
}

export const bus: BenchmarkPart = {
  name: 'bus',
  title: 'Live events over two nodes: PostgreSQL, Redis, NATS',
  method:
    `${nodeCount} receiving processes with half of the sockets each, two sockets for each user, one at each node; one process publishes, each event in a transaction of its own, and ` +
    `holds the clients. Measured from the moment when an event was due to its arrival at each socket; rates grow by half until p99 is over ${limitMs} ms twice. Photos are ` +
    'not read. PostgreSQL is the embedded one, with its usual durability; Redis 7 and NATS 2.9 are Debian 12’s, without persistence. Nodes, clients and engine share the machine.',
  run: runBus,
}
