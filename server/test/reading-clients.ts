/**
 * Clients that load a photo, in a process of their own. The argument is JSON; the answers of those that read are counted, and
 * said as JSON when all have ended. Clients that do not read open what was ended again, until the process ends.
 */
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'

export interface ReadingClients {
  host: string
  port: number
  path: string
  count: number
  /** Of the whole answer, without its head. */
  bytes: number
  /** False: nothing is read after the request. */
  reads: boolean
  /** The address they come from. */
  from?: string
  /** Over TLS and HTTP/2, with so many streams a connection; otherwise HTTP/1.1. */
  streams?: number
}

/** What came of those that read. */
export interface ReadingOutcome {
  whole: number
  cut: number
  refused: number
  /** The longest that one of them waited for its next byte. */
  longestGapMs: number
}

const clients = JSON.parse(process.argv[2] ?? '{}') as ReadingClients // of the record that started this
const { host, port, path, count, bytes, reads, from, streams } = clients
const outcome: ReadingOutcome = { whole: 0, cut: 0, refused: 0, longestGapMs: 0 }
let ended = 0
const again = (open: () => void): void => void setTimeout(open, 1_000)

function open(): void {
  const socket = connect({ host, port, ...(from && { localAddress: from }) })
  let [received, lastAt, head] = [0, performance.now(), '']
  socket.write(`GET ${path} HTTP/1.1\r\nhost: photos.test\r\nconnection: close\r\n\r\n`)
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    outcome.longestGapMs = Math.max(outcome.longestGapMs, Math.round(performance.now() - lastAt))
    lastAt = performance.now()
    if (received === 0) head = chunk.toString('latin1', 0, 1_000).split('\r\n\r\n')[0] ?? ''
    if (!reads) socket.pause()
    if (!reads && !head.startsWith('HTTP/1.1 200')) process.stdout.write(`${head.split('\r\n')[0]}\n`)
    received += chunk.length
  })
  socket.on('close', () => {
    if (!reads) return again(open)
    if (!head.startsWith('HTTP/1.1 200')) outcome.refused += 1
    else if (received === bytes + head.length + 4) outcome.whole += 1
    else outcome.cut += 1
    ended += 1
    if (ended === count) process.stdout.write(`${JSON.stringify(outcome)}\n`)
  })
}

function openStreams(): void {
  const session = connectHttp2(`https://${host}:${port}`, {
    rejectUnauthorized: false,
    servername: 'photos.test',
    ...(from && { localAddress: from }),
  })
  session.on('error', () => {})
  session.on('close', () => again(openStreams))
  const request = (): void => {
    if (session.destroyed) return
    const stream = session.request({ ':path': path, ':authority': 'photos.test' })
    stream.on('error', () => {})
    stream.on('close', () => again(request))
  }
  for (let n = 0; n < (streams ?? 1); n += 1) request()
}

for (let n = 0; n < count; n += 1) {
  if (streams) openStreams()
  else open()
}
// Connections that are not read do not keep a process alive.
if (!reads) setInterval(() => {}, 60_000)
