import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { faultStatus, type FaultCode } from '@keepsnap/contract/errors.ts'
import { wsPath } from '@keepsnap/contract/live.ts'

/** Headers that every answer carries. */
export const constantHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  // Which origin may read an answer is said only to that origin.
  vary: 'origin',
}

/** Bounds of connections, whatever is said over them; promises.md T33. */
export const connectionLimits = {
  /** Open at once, live channels included; below what a process may have of files and sockets. */
  most: 10_000,
  /** From the first byte of a request to the end of its headers. */
  headersMs: 10_000,
  checkMs: 2_000,
  /** Without a byte in either direction: longer than an upload waits for its turn or a store takes for it. */
  silentMs: 300_000,
  headerBytes: 16 * 1024,
}

const idleCheckMs = 50

/** A refusal where there is no request to answer yet, or no longer one of HTTP. */
export function refuseRaw(socket: Duplex, code: FaultCode, detail: string): void {
  const status = faultStatus[code]
  const body = JSON.stringify({ code, detail })
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Cache-Control: no-store',
    ...Object.entries(constantHeaders).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** Answers what is no HTTP: bad bytes, headers that are too long or never end. */
export function refuseClient(error: Error & { code?: string }, socket: Socket): void {
  // Into the middle of another answer, or after one, nothing more is said.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy()
    return
  }
  const details: Record<string, string> = {
    HPE_HEADER_OVERFLOW: 'The headers of the request are too long.',
    ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive.',
  }
  refuseRaw(socket, 'bad_request', details[error.code ?? ''] ?? 'The request is not valid HTTP.')
}

/** Only a live connection leaves HTTP; other offers to upgrade (h2c, TLS) are left aside, as RFC 9110 allows. */
export const isLiveUpgrade = (req: IncomingMessage): boolean =>
  req.headers.upgrade?.toLowerCase() === 'websocket' && req.url?.split('?', 1)[0] === wsPath

/** Node's own options for all this. */
export const connectionOptions = {
  headersTimeout: connectionLimits.headersMs,
  connectionsCheckingInterval: connectionLimits.checkMs,
  requestTimeout: 0,
  maxHeaderSize: connectionLimits.headerBytes,
  requireHostHeader: false,
  shouldUpgradeCallback: isLiveUpgrade,
}

/**
 * Ends connections as soon as what they carried is answered, once the server closes: a browser would keep one open that
 * was busy in that moment, and the end of the program would wait for it.
 */
export function endWhenIdle(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const timer = setInterval(() => app.server.closeIdleConnections(), idleCheckMs)
    app.server.once('close', () => clearInterval(timer))
  })
}

/** Keeps the number of connections and their silence within bounds. */
export function boundConnections(server: Server): void {
  server.maxConnections = connectionLimits.most
  server.setTimeout(connectionLimits.silentMs)
  // An expectation that we do not know is no reason to refuse the call behind it.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))
}
