import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type FaultCode, faultStatus } from '@keepsnap/contract/errors.ts'
import { wsPath } from '@keepsnap/contract/live.ts'
import { clientKey } from './client-address.ts'
import type { HttpServer } from './http-types.ts'

/** Headers of every response. */
export const constantHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  // Photos, pages of guests and answers of the API; public pages and their pictures remove it.
  'x-robots-tag': 'noindex',
  // The CORS headers differ by origin.
  vary: 'origin',
}

/** Of answers that are JSON, should a browser show one as a page. */
export const jsonPolicy = "default-src 'none'; frame-ancestors 'none'"

/** Limits of connections, whatever is sent over them; docs/security.md T33. */
const connectionLimits = {
  /** Open at once, WebSockets included; below the usual limit of open files. */
  max: 10_000,
  /** Of one IP address, while there are more than `crowdedFrom` in all. A venue with 2,000 guests has fewer than that. */
  perAddress: 1_500,
  crowdedFrom: 8_000,
  /** From the first byte of a request to the end of its headers. */
  headersMs: 10_000,
  checkMs: 2_000,
  /** Without a byte in either direction. Longer than an upload may wait in the queue or for the store. */
  idleMs: 300_000,
  headerBytes: 16 * 1024,
}

const idleCheckMs = 50

/** Writes an error response to a socket that has no Fastify reply, and closes it. */
export function rejectSocket(socket: Duplex, code: FaultCode, detail: string): void {
  const status = faultStatus[code]
  const body = JSON.stringify({ code, detail })
  const responseLines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Cache-Control: no-store',
    ...Object.entries(constantHeaders).map(([name, value]) => `${name}: ${value}`),
    `Content-Security-Policy: ${jsonPolicy}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${responseLines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** Answers what Node's HTTP parser rejects: malformed bytes, headers that are too long or incomplete. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  // After a response has begun, an error response would corrupt it. Before the first request, browsers would take it for
  // the answer to that request, which they may be sending now; when the connection closes, they send it again.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0 || socket.bytesRead === 0) {
    socket.destroy()
    return
  }
  const sentencesByErrorCode: Record<string, string> = {
    HPE_HEADER_OVERFLOW: 'The request headers are too large.',
    ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
  }
  rejectSocket(socket, 'bad_request', sentencesByErrorCode[error.code ?? ''] ?? 'The request is not valid HTTP.')
}

/** The descriptor of a connection, which Node keeps to itself; undefined where there is none. */
export function descriptorOf(socket: Socket): number | undefined {
  // As in `net.Socket` of every version of Node so far.
  const { _handle: handle } = socket as { _handle?: { fd?: number } | null }
  return handle?.fd !== undefined && handle.fd >= 0 ? handle.fd : undefined
}

/** Whether a request has more than one Host header, which RFC 9112 section 3.2 forbids: a proxy may have checked another one. */
export const hasSeveralHosts = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host').length > 1

/** True for WebSocket upgrades on our path; other upgrades (h2c, TLS) are ignored, as RFC 9110 allows. */
export const isWebSocketUpgrade = (req: IncomingMessage): boolean =>
  req.headers.upgrade?.toLowerCase() === 'websocket' && req.url?.split('?', 1)[0] === wsPath

/** Options of Node's HTTP server. */
export const connectionOptions = {
  headersTimeout: connectionLimits.headersMs,
  connectionsCheckingInterval: connectionLimits.checkMs,
  requestTimeout: 0,
  maxHeaderSize: connectionLimits.headerBytes,
  requireHostHeader: false,
  shouldUpgradeCallback: isWebSocketUpgrade,
}

/**
 * During shutdown, closes each connection as soon as its response is sent. A browser would keep open a connection that was
 * busy when the shutdown began, and the shutdown would wait for it. The same with connections that browsers open before
 * they need them: for Node, one that has sent nothing is not idle.
 */
export function closeIdleOnShutdown(app: HttpServer): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  let silentBefore = new Set<Socket>()
  const closeIdle = (): void => {
    app.server.closeIdleConnections()
    const silent = new Set([...sockets].filter(({ bytesRead }) => bytesRead === 0))
    // Bytes that are already waiting are read between two checks, so no request is lost.
    for (const socket of silent) if (silentBefore.has(socket)) socket.destroy()
    silentBefore = silent
  }
  app.addHook('preClose', async () => {
    const idleCheckTimer = setInterval(closeIdle, idleCheckMs)
    app.server.once('close', () => clearInterval(idleCheckTimer))
  })
}

/** Limits the number of connections, of those of one IP address, and how long they may be idle. */
export function limitConnections(server: Server, trustedProxies: readonly string[]): void {
  const { max, crowdedFrom, perAddress } = connectionLimits
  server.maxConnections = max
  limitConnectionsPerAddress(server, { crowdedFrom, perAddress, isExempt: createExemptAddresses(trustedProxies) })
  server.setTimeout(connectionLimits.idleMs)
  // An unknown Expect header must not fail the request.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))
}

/** When and how far the connections of one IP address (of IPv6: a /64 network) are limited. */
interface AddressLimits {
  /** Open connections of all addresses, above which the limit applies. */
  crowdedFrom: number
  perAddress: number
  /** Addresses without a limit: many clients share them. */
  isExempt(address: string): boolean
}

interface Connection {
  client: Client
  /** Requests under way, an accepted WebSocket included. */
  requests: number
}

interface Client {
  key: string
  connections: Set<Socket>
  /** Those without a request under way, the one that has been idle for longest first. */
  idle: Set<Socket>
}

/** Whether an address is one of these, or in one of these CIDR ranges. */
export function createAddressList(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Loopback and the trusted proxies. */
export const createExemptAddresses = (trustedProxies: readonly string[]): ((address: string) => boolean) =>
  createAddressList(['127.0.0.0/8', '::1', ...trustedProxies])

/** The connections of each client, and which of them are idle. */
function createConnectionRegistry(perAddress: number) {
  const clients = new Map<string, Client>()
  const connections = new Map<Socket, Connection>()
  const clientsOverLimit = new Set<Client>()
  const remove = (socket: Socket): void => {
    const client = connections.get(socket)?.client
    if (!client) return
    connections.delete(socket)
    client.connections.delete(socket)
    client.idle.delete(socket)
    if (client.connections.size <= perAddress) clientsOverLimit.delete(client)
    if (client.connections.size === 0) clients.delete(client.key)
  }
  return {
    remove,
    add(socket: Socket, key: string): void {
      const client = clients.get(key) ?? { key, connections: new Set(), idle: new Set() }
      clients.set(key, client)
      client.connections.add(socket)
      client.idle.add(socket)
      connections.set(socket, { client, requests: 0 })
      if (client.connections.size > perAddress) clientsOverLimit.add(client)
    },
    /** A request has begun (1) or ended (-1). */
    countRequest(socket: Socket, change: 1 | -1): void {
      const connection = connections.get(socket)
      if (!connection) return
      connection.requests += change
      if (connection.requests > 0) connection.client.idle.delete(socket)
      else connection.client.idle.add(socket)
    },
    closeIdleOverLimit(): void {
      for (const client of clientsOverLimit) {
        for (const socket of client.idle) {
          if (client.connections.size <= perAddress) break
          remove(socket)
          socket.destroy()
        }
      }
    },
  }
}

/**
 * While there are many connections, closes those of addresses that hold more than their share. Idle ones are closed, the
 * oldest first, a new one last; connections with a request, an upload or a WebSocket under way never are.
 */
export function limitConnectionsPerAddress(server: Server, { crowdedFrom, perAddress, isExempt }: AddressLimits): void {
  const registry = createConnectionRegistry(perAddress)
  let openConnections = 0
  server.on('connection', (socket: Socket) => {
    openConnections += 1
    socket.once('close', () => {
      openConnections -= 1
      registry.remove(socket)
    })
    if (socket.remoteAddress === undefined || isExempt(socket.remoteAddress)) return
    registry.add(socket, clientKey(socket.remoteAddress))
    if (openConnections > crowdedFrom) registry.closeIdleOverLimit()
  })
  server.on('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
    registry.countRequest(socket, 1)
    res.once('close', () => registry.countRequest(socket, -1))
  })
  server.on('upgrade', ({ socket }: IncomingMessage) => registry.countRequest(socket, 1))
}
