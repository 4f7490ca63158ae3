import { writeSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { ByteSpan } from '../ports/storage/storage.ts'
import { descriptorOf } from './connections.ts'

/** Where the bytes of an answer come from; a `FileHandle` is one. */
export interface ByteSource {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
  /** Resolves when there is something to read at a position. */
  prepare?(position: number): Promise<void>
  /** Called when the client does not take bytes at present. */
  wait?(): void
  close(): Promise<void> | void
}

/** What one answer holds while it waits for its client. */
const waitingBytes = 4 * 1024
const smallestRead = 16 * 1024
const largestRead = 256 * 1024
/** All buffers for reading; each is in use for one read. Thousands of answers may begin at the same moment. */
const buffers = { free: [] as Buffer[], notAllocated: 32, waiting: [] as ((buffer: Buffer) => void)[] }

async function takeBuffer(): Promise<Buffer> {
  const buffer = buffers.free.pop()
  if (buffer) return buffer
  if (buffers.notAllocated === 0) return new Promise((resolve) => void buffers.waiting.push(resolve))
  buffers.notAllocated -= 1
  return Buffer.allocUnsafeSlow(largestRead)
}

function giveBack(buffer: Buffer): void {
  const next = buffers.waiting.shift()
  if (next) next(buffer)
  else buffers.free.push(buffer)
}

/**
 * Hands bytes to the kernel and returns how many it took now. With `write` of Node all others would stay in memory until the
 * client reads; and a call for each 16 KB costs more than the copying.
 */
function writeNow({ socket }: ServerResponse, bytes: Buffer): number {
  const descriptor = socket && !socket.destroyed && socket.writableLength === 0 ? descriptorOf(socket) : undefined
  if (descriptor === undefined) return 0
  try {
    return writeSync(descriptor, bytes)
  } catch {
    // Nothing fits, or the connection is broken, which the next `write` finds out.
    return 0
  }
}

/** Resolves when the bytes were passed to the kernel, or the connection has closed. */
const writeChunk = (res: ServerResponse, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    res.once('close', resolve)
    res.write(bytes, () => {
      res.off('close', resolve)
      resolve()
    })
  })

/**
 * Writes a range of a file and ends the response, whose headers have been prepared; closes the file. Bytes are read when they
 * can be sent: as many as the kernel takes at once, and otherwise a few, which wait. When the file is shorter than expected,
 * the connection is closed.
 */
export async function sendFile(res: ServerResponse, file: ByteSource, { start, end }: ByteSpan): Promise<void> {
  // What the kernel takes between two waits is about the same each time.
  let [nextRead, takenSinceWait] = [largestRead, 0]
  /** Sends bytes from a position on, and returns how many. Those that wait are a copy, so that others can use the buffer. */
  const sendSome = async (at: number): Promise<number> => {
    await file.prepare?.(at)
    const buffer = await takeBuffer()
    let taken = 0
    let rest: Buffer
    try {
      const { bytesRead } = await file.read(buffer, 0, Math.min(nextRead, end - at + 1), at)
      if (bytesRead === 0) throw new Error('a stored file is shorter than expected')
      taken = writeNow(res, buffer.subarray(0, bytesRead))
      rest = Buffer.from(buffer.subarray(taken, Math.min(bytesRead, taken + waitingBytes)))
    } finally {
      giveBack(buffer)
    }
    takenSinceWait += taken
    nextRead = Math.min(largestRead, 2 * nextRead)
    if (rest.length > 0) {
      nextRead = Math.min(largestRead, Math.max(smallestRead, takenSinceWait))
      takenSinceWait = 0
      file.wait?.()
      await writeChunk(res, rest)
    }
    return taken + rest.length
  }
  try {
    res.flushHeaders()
    for (let at = start; at <= end && !res.destroyed;) at += await sendSome(at)
    if (!res.destroyed) res.end()
  } catch (error) {
    res.destroy(error instanceof Error ? error : undefined)
  } finally {
    await file.close()
  }
}

/** Streams of stores whose answers wait for their clients, the longest waiting first: what closes each of them. */
const waitingStreams = new Set<() => void>()
/** Half of the connections to the store: the others stay for those who read. */
const maxWaitingStreams = 64

/**
 * The bytes of a stream that begins at `start`. While many answers wait for their clients, the streams of the longest waiting
 * are closed; `open` opens one again at the place where it is read next. The same when the store has closed it.
 */
export function streamSource(
  first: Readable,
  { start, open }: { start: number; open(start: number): Promise<Readable> },
): ByteSource {
  let stream: Readable | undefined
  let chunks: AsyncIterator<Buffer> | undefined
  let chunk = Buffer.alloc(0)
  let chunkStart = start
  let isReading = false
  const close = (): void => {
    waitingStreams.delete(close)
    stream?.destroy()
    stream = undefined
    chunk = Buffer.alloc(0)
  }
  const use = (opened: Readable): void => {
    stream = opened
    chunks = opened[Symbol.asyncIterator]() as AsyncIterator<Buffer> // a stream of bytes
    opened.on('error', () => !isReading && stream === opened && close())
  }
  use(first)
  async function prepare(position: number): Promise<void> {
    waitingStreams.delete(close)
    if (position - chunkStart < chunk.length) return
    isReading = true
    try {
      if (!stream) use(await open(position))
      const next = await chunks?.next()
      chunk = next?.value ?? Buffer.alloc(0)
      chunkStart = position
    } finally {
      isReading = false
    }
  }
  return {
    prepare,
    async read(buffer, offset, length, position) {
      const from = position - chunkStart
      return { bytesRead: chunk.copy(buffer, offset, from, from + length) }
    },
    wait() {
      waitingStreams.add(close)
      const [longest] = waitingStreams
      if (waitingStreams.size > maxWaitingStreams) longest?.()
    },
    close,
  }
}
