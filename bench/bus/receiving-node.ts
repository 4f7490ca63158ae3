/**
 * A node that only passes events on: what the program does with one, without reading photos. Started by the part `bus` with
 * the engine's address as JSON; prints its port.
 */
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { busChannel, createBus, type BusEvent } from '@keepsnap/server/live/bus.ts'
import { createConnectionRegistry } from '@keepsnap/server/live/connection-registry.ts'
import { createLog } from '@keepsnap/server/runtime/log.ts'
import { connectTo, natsHello, type EngineAddress } from './engines.ts'

type OnEvent = (event: BusEvent) => void

/** Calls back with each text between `{` at the start of a line and the end of the line: how both servers frame events. */
async function subscribe(port: number, hello: string, onEvent: OnEvent): Promise<void> {
  const socket = await connectTo(port)
  let rest = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === 'PING') socket.write('PONG\r\n')
      if (line.startsWith('{')) onEvent(JSON.parse(line) as BusEvent) // published by the benchmark
    }
  })
  socket.write(hello)
}

async function listenOn(address: EngineAddress, onEvent: OnEvent): Promise<void> {
  if (address.name === 'PostgreSQL') {
    createBus(address.database, createLog('error')).onEvent(onEvent)
    return
  }
  const hello =
    address.name === 'Redis'
      ? `*2\r\n$9\r\nSUBSCRIBE\r\n$${busChannel.length}\r\n${busChannel}\r\n`
      : `${natsHello}SUB ${busChannel} 1\r\n`
  await subscribe(address.port, hello, onEvent)
}

const address = JSON.parse(process.argv[2] ?? '') as EngineAddress // from the benchmark
const registry = createConnectionRegistry()
await listenOn(address, (event) => {
  if (event.kind === 'photo' && registry.hasUser(event.user))
    registry.sendToUser(event.user, { action: 'photo_deleted', type: 'photo_deleted', id: event.photo })
})
const server = createServer()
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
sockets.on('connection', (socket, req) => {
  const userId = (req.url ?? '').slice(1)
  registry.add({ socket, userId, session: '', lastSeenAt: 0, lastMessageAt: 0 })
})
server.listen(0, '127.0.0.1', () => {
  const listening = server.address()
  process.stdout.write(`${typeof listening === 'object' ? listening?.port : ''}\n`)
})
process.on('disconnect', () => process.exit())
