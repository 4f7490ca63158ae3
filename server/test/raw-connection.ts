import { connect, type Socket } from 'node:net'

/** An answer as it came over the wire. */
export interface RawAnswer {
  status: number
  /** Names in lower case; a repeated one is joined with ', '. */
  headers: Record<string, string>
  body: Buffer
}

/** A connection that sends exactly the bytes it is told to. */
export interface RawConnection {
  socket: Socket
  /** Resolves once the bytes are handed to the system. */
  write(bytes: string | Buffer): Promise<void>
  received(): Buffer
  /** Everything whole that has come so far. `methods` are those of the requests: answers to HEAD have no body. */
  answers(methods?: readonly string[]): RawAnswer[]
  /** Resolves with the first bytes of whatever comes. */
  first(): Promise<unknown>
  /** Resolves when the other side has closed, or when `withinMs` have passed (then false). */
  ended(withinMs: number): Promise<boolean>
  /** Resolves with the first `count` whole answers; rejects when the connection ends before, or time runs out. */
  next(count: number, withinMs?: number): Promise<RawAnswer[]>
  close(): void
}

const endOfHead = Buffer.from('\r\n\r\n')

/** The body that begins at `from`: its bytes and where the next answer begins; undefined when it is not whole. */
function bodyAt(
  bytes: Buffer,
  from: number,
  { status, headers }: Pick<RawAnswer, 'status' | 'headers'>,
): { body: Buffer; end: number } | undefined {
  if (status === 204 || status === 304 || status < 200) return { body: Buffer.alloc(0), end: from }
  if (headers['transfer-encoding'] === 'chunked') {
    const parts: Buffer[] = []
    for (let at = from; ;) {
      const line = bytes.indexOf('\r\n', at)
      if (line < 0) return undefined
      const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
      const end = line + 2 + size + 2
      if (Number.isNaN(size)) throw new Error('the answer is badly chunked')
      if (bytes.length < end) return undefined
      parts.push(bytes.subarray(line + 2, line + 2 + size))
      at = end
      if (size === 0) return { body: Buffer.concat(parts), end }
    }
  }
  const length = Number(headers['content-length'] ?? Number.NaN)
  if (Number.isNaN(length)) return { body: bytes.subarray(from), end: bytes.length }
  return bytes.length < from + length ? undefined : { body: bytes.subarray(from, from + length), end: from + length }
}

/** Cuts a stream into answers. Throws when it is no HTTP/1.1. */
export function answersIn(bytes: Buffer, methods: readonly string[] = []): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(endOfHead, at)
    if (end < 0) return answers
    const [first = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n')
    const match = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/.exec(first)
    if (!match) throw new Error(`not an answer: ${JSON.stringify(first.slice(0, 200))}`)
    const headers: Record<string, string> = {}
    for (const line of lines) {
      const colon = line.indexOf(':')
      const name = line.slice(0, colon).toLowerCase()
      if (!/^[a-z0-9-]+$/.test(name)) throw new Error(`not a header: ${JSON.stringify(line.slice(0, 200))}`)
      const value = line.slice(colon + 1).trim()
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
    }
    const head = { status: Number(match[1]), headers }
    const isHead = methods[answers.filter(({ status }) => status >= 200).length] === 'HEAD'
    const found = isHead ? { body: Buffer.alloc(0), end: end + 4 } : bodyAt(bytes, end + 4, head)
    if (!found) return answers
    answers.push({ ...head, body: found.body })
    at = found.end
  }
  return answers
}

/** Opens a connection to a server that listens on loopback. */
export async function rawConnection(address: string): Promise<RawConnection> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true })
  const parts: Buffer[] = []
  let onReceived = (): void => {}
  const peerClosed = new Promise<true>((resolve) => {
    socket.once('end', () => resolve(true))
    socket.once('close', () => resolve(true))
  })
  socket.on('data', (part) => {
    parts.push(part)
    onReceived()
  })
  const first = new Promise((resolve) => socket.once('data', resolve))
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  socket.on('error', () => {})
  const received = (): Buffer => Buffer.concat(parts)
  const answers: RawConnection['answers'] = (methods) => answersIn(received(), methods)
  const withTimeout = <T>(promise: Promise<T>, ms: number): Promise<T | false> => {
    let timer: NodeJS.Timeout
    const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ms)))
    return Promise.race([promise, late]).finally(() => clearTimeout(timer))
  }
  return {
    socket,
    received,
    answers,
    first: () => Promise.race([first, peerClosed]),
    write: (bytes) => new Promise((resolve) => socket.write(bytes, () => resolve())),
    ended: (withinMs) => withTimeout(peerClosed, withinMs),
    async next(count, withinMs = 60_000) {
      const whole = new Promise<RawAnswer[]>((resolve) => {
        onReceived = () => {
          const found = answers().filter(({ status }) => status >= 200)
          if (found.length >= count) resolve(found)
        }
        onReceived()
      })
      const found = await withTimeout(Promise.race([whole, peerClosed]), withinMs)
      if (Array.isArray(found)) return found
      throw new Error(`${found ? 'the connection ended' : 'time ran out'} before ${count} answers came`)
    },
    close: () => socket.destroy(),
  }
}
