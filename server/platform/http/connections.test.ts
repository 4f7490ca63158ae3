import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createExemptAddresses, limitConnectionsPerAddress } from './connections.ts'

const crowdedFrom = 12
const perAddress = 4
const exemptAddress = '127.0.0.9'

let server: Server
let clients: Socket[]
/** Responses to requests for /wait, which have not been sent. */
let waiting: ServerResponse[]
let upgraded: Duplex[]
beforeEach(async () => {
  ;[clients, waiting, upgraded] = [[], [], []]
  server = createServer((req, res) => (req.url === '/wait' ? void waiting.push(res) : res.end('ok')))
  server.on('upgrade', (_req, socket) => {
    upgraded.push(socket)
    socket.resume().write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
  })
  limitConnectionsPerAddress(server, { crowdedFrom, perAddress, isExempt: (address) => address === exemptAddress })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  for (const socket of [...clients, ...upgraded]) socket.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** Opens connections from a loopback address, one after the other; waits until the server has them. */
async function open(count: number, localAddress: string, firstBytes?: string): Promise<Socket[]> {
  const { port } = server.address() as { port: number } // it listens on TCP
  const opened: Socket[] = []
  while (opened.length < count) {
    const accepted = new Promise((resolve) => server.once('connection', resolve))
    const client = connect({ port, host: '127.0.0.1', localAddress })
    client.on('error', () => {}).resume()
    await accepted
    clients.push(client)
    opened.push(client)
    if (firstBytes === undefined) continue
    const handled = new Promise((resolve) =>
      server.once(firstBytes.includes('Upgrade') ? 'upgrade' : 'request', resolve),
    )
    client.write(firstBytes)
    await handled
  }
  return opened
}
const closed = (sockets: Socket[]): boolean[] => sockets.map((socket) => socket.destroyed)
const all = (sockets: Socket[], isClosed: boolean): boolean[] => sockets.map(() => isClosed)
const request = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: photos.test', ...headers, '\r\n'].join('\r\n')

test('an address may hold any number of connections while there are few in all', async () => {
  const many = await open(crowdedFrom, '127.0.0.2')
  expect(closed(many)).toEqual(all(many, false))
})

test('when there are many, the idle connections of an address with too many are closed, the oldest first', async () => {
  const attacker = await open(crowdedFrom, '127.0.0.2')
  const [guest] = await open(1, '127.0.0.3')
  const tooMany = attacker.slice(0, -perAddress)
  await expect.poll(() => closed(tooMany)).toEqual(all(tooMany, true))
  expect(closed([...attacker.slice(-perAddress), guest!])).toEqual(all(attacker.slice(-perAddress - 1), false))
})

test('connections with a request or a WebSocket under way are never closed; a new one is, when no older one is idle', async () => {
  const busy = await open(4, '127.0.0.2', request('/wait'))
  const webSockets = await open(4, '127.0.0.2', request('/ws', 'Connection: Upgrade', 'Upgrade: websocket'))
  const idle = await open(2, '127.0.0.2', request('/'))
  await open(3, '127.0.0.3')
  await expect.poll(() => closed(idle)).toEqual([true, true])
  const refused = await open(1, '127.0.0.2')
  await open(2, '127.0.0.3')
  const refusedToo = await open(1, '127.0.0.2')
  await expect.poll(() => closed([...refused, ...refusedToo])).toEqual([true, true])
  expect(closed([...busy, ...webSockets])).toEqual(all([...busy, ...webSockets], false))
  const answered = busy.map((socket) => new Promise((resolve) => socket.once('data', resolve)))
  for (const res of waiting) res.end('ok')
  await Promise.all(answered)
  await open(2, '127.0.0.3')
  await expect.poll(() => closed(busy)).toEqual(all(busy, true))
  expect(closed(webSockets)).toEqual(all(webSockets, false))
})

test('an address that many clients share has no limit', async () => {
  const shared = await open(crowdedFrom + perAddress, exemptAddress)
  const [guest] = await open(1, '127.0.0.3')
  expect(closed([...shared, guest!])).toEqual(all([...shared, guest!], false))
})

test('loopback and the trusted proxies are exempt, also as IPv4 addresses written as IPv6', () => {
  const isExempt = createExemptAddresses(['10.1.0.0/16', '192.0.2.7', '2001:db8::/32'])
  for (const address of [
    '127.0.0.1',
    '127.8.8.8',
    '::1',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    '::ffff:10.1.2.3',
    '2001:db8::9',
  ])
    expect([address, isExempt(address)]).toEqual([address, true])
  for (const address of ['10.2.0.1', '192.0.2.8', '2001:db9::1', '::ffff:203.0.113.1', 'fe80::1'])
    expect([address, isExempt(address)]).toEqual([address, false])
})
