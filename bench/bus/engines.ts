import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool, type PoolConfig } from 'pg'
import { freePort } from '@keepsnap/server/test/free-ports.ts'
import { busChannel, type BusEvent } from '@keepsnap/server/live/bus.ts'
import { startEmbeddedPostgres } from '@keepsnap/server/postgres/embedded-postgres.ts'
import { createLog } from '@keepsnap/server/runtime/log.ts'

export type EngineName = 'PostgreSQL' | 'Redis' | 'NATS'
/** Where nodes subscribe: a database, or the port of a server on loopback. */
export type EngineAddress = { name: 'PostgreSQL'; database: PoolConfig } | { name: 'Redis' | 'NATS'; port: number }

/** A running message broker, and its address. */
export interface MessageBroker {
  address: EngineAddress
  publish(event: BusEvent): Promise<unknown>
  stop(): Promise<void>
}

/** As many connections as a node of the program has. */
const databaseConnections = 10

/** A connection to a server on loopback, as soon as it listens. */
export async function connectTo(port: number): Promise<Socket> {
  for (const end = Date.now() + 10_000; ; await delay(50)) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    try {
      await once(socket, 'connect')
      return socket
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

async function startPostgres(folder: string): Promise<MessageBroker> {
  const dataDir = join(folder, 'postgres')
  mkdirSync(dataDir, { recursive: true })
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
  const pool = new Pool({ ...postgres.connection, max: databaseConnections })
  // Of connections that the stopping server ends.
  pool.on('error', () => {})
  const statement = `select pg_notify('${busChannel}', $1)`
  return {
    address: { name: 'PostgreSQL', database: postgres.connection },
    publish: (event) => pool.query({ name: 'publish', text: statement, values: [JSON.stringify(event)] }),
    async stop() {
      await pool.end()
      await postgres.stop()
    },
  }
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Publishes over one connection; a full one is waited for. */
const publisher =
  (socket: Socket, frame: (text: string) => string) =>
  async (event: BusEvent): Promise<void> => {
    if (!socket.write(frame(JSON.stringify(event)))) await once(socket, 'drain')
  }

const redisFrame = (text: string): string =>
  `*3\r\n$7\r\nPUBLISH\r\n$${busChannel.length}\r\n${busChannel}\r\n$${Buffer.byteLength(text)}\r\n${text}\r\n`
const natsFrame = (text: string): string => `PUB ${busChannel} ${Buffer.byteLength(text)}\r\n${text}\r\n`
/** What a connection to NATS begins with. */
export const natsHello = 'CONNECT {"verbose":false,"pedantic":false}\r\n'

async function startRedis(folder: string): Promise<MessageBroker> {
  const port = await freePort()
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  const child = spawn('redis-server', options, { stdio: 'ignore' })
  const socket = await connectTo(port)
  // The number of receivers, for each event.
  socket.resume()
  const publish = publisher(socket, redisFrame)
  return { address: { name: 'Redis', port }, publish, stop: () => stopAll(socket, child) }
}

async function startNats(): Promise<MessageBroker> {
  const port = await freePort()
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  const socket = await connectTo(port)
  socket.on('data', (data: Buffer) => void (data.includes('PING') && socket.write('PONG\r\n')))
  socket.write(natsHello)
  return { address: { name: 'NATS', port }, publish: publisher(socket, natsFrame), stop: () => stopAll(socket, child) }
}

async function stopAll(socket: Socket, child: ChildProcess): Promise<void> {
  socket.destroy()
  await stopProcess(child)
}

/** Starts an engine on loopback. */
export function startEngine(name: EngineName, folder: string): Promise<MessageBroker> {
  if (name === 'PostgreSQL') return startPostgres(folder)
  return name === 'Redis' ? startRedis(folder) : startNats()
}
