import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** A client that reads one thing after the other, 50 times a second. */
export interface Reader {
  /** Stops reading; the number of responses, and those that failed. */
  stop(): Promise<{ reads: number; failures: string[] }>
}

const readEveryMs = 20

/** Reads the URLs in turn; redirects to the object store are followed. */
export function readContinuously(addresses: readonly { url: string; headers?: Record<string, string> }[]): Reader {
  const failures: string[] = []
  const running = new Set<Promise<void>>()
  const stop = new AbortController()
  let reads = 0
  const read = async (url: string, headers: Record<string, string> = {}): Promise<void> => {
    const at = new Date().toISOString()
    try {
      const answer = await fetch(url, { headers })
      await answer.arrayBuffer()
      if (!answer.ok) failures.push(`${at} ${url}: ${answer.status}`)
    } catch (error) {
      failures.push(`${at} ${url}: ${String(error)}, ${String(error instanceof Error && error.cause)}`)
    }
  }
  const loop = async (): Promise<void> => {
    for (let nextAt = performance.now(); !stop.signal.aborted; nextAt += readEveryMs) {
      const next = addresses[reads % addresses.length]
      if (!next) return
      reads += 1
      const reading = read(next.url, next.headers).finally(() => running.delete(reading))
      running.add(reading)
      await delay(Math.max(0, nextAt + readEveryMs - performance.now()))
    }
  }
  const looping = loop()
  return {
    async stop() {
      stop.abort()
      await looping
      await Promise.all(running)
      return { reads, failures }
    },
  }
}

/** A live connection that is opened again whenever it is lost, after a second, two, four and so on. */
export interface ReconnectingSocket {
  isOpen(): boolean
  /** The kinds and photos of all messages. */
  received: { action: string; photo?: { id: string } | undefined }[]
  /** For how long it was gone, each time. */
  gapsMs: number[]
  stop(): void
}

/** Connects a user to the live channel, and goes on doing so. */
export function openReconnectingSocket(address: string, token: string): ReconnectingSocket {
  const steady: Pick<ReconnectingSocket, 'received' | 'gapsMs'> = { received: [], gapsMs: [] }
  let socket: WebSocket
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let lostAt: number | undefined
  const open = (attempts: number): void => {
    socket = new WebSocket(`${address.replace('http', 'ws')}/ws?token=${token}`)
    let failedAttempts = attempts
    socket.on('open', () => {
      if (lostAt !== undefined) steady.gapsMs.push(performance.now() - lostAt)
      lostAt = undefined
      failedAttempts = 0
    })
    socket.on('message', (data: Buffer) => void steady.received.push(JSON.parse(data.toString()) as { action: string })) // the contract's messages
    socket.on('error', () => {})
    socket.on('close', () => {
      lostAt ??= performance.now()
      if (!isStopped) timer = setTimeout(() => open(failedAttempts + 1), Math.min(30_000, 1_000 * 2 ** failedAttempts))
    })
  }
  open(0)
  return {
    ...steady,
    isOpen: () => socket.readyState === socket.OPEN,
    stop() {
      isStopped = true
      clearTimeout(timer)
      socket.terminate()
    },
  }
}
