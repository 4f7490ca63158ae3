import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemCode } from './startup-error.ts'

/** Held until `release` or the end of this process, however it ends: the kernel releases it. */
export interface SocketLock {
  release(): Promise<void>
}

const maxAnswerBytes = 4096
const answerTimeoutMs = 1_000
const maxAttempts = 20

/** On Linux an abstract socket, which vanishes with its process; elsewhere a socket file in the temporary folder. */
const socketPath = (name: string): string =>
  process.platform === 'linux' ? `\0keepsnap-${name}` : join(tmpdir(), `keepsnap-${name}.lock`)

async function listen(address: string, answer: () => string): Promise<Server | undefined> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(answer())
  })
  server.maxConnections = 32
  server.unref()
  try {
    await once(server.listen(address), 'listening')
    return server
  } catch (error) {
    if (systemCode(error) === 'EADDRINUSE') return undefined
    throw error
  }
}

/** The answer of the lock's owner: empty when it does not respond in time, undefined when nobody holds the lock. */
async function askOwner(address: string): Promise<string | undefined> {
  const socket = connect(address)
  socket.setEncoding('utf8').setTimeout(answerTimeoutMs, () => socket.destroy())
  let text = ''
  try {
    for await (const part of socket) {
      text += part
      if (text.length >= maxAnswerBytes) break
    }
  } catch (error) {
    if (['ECONNREFUSED', 'ENOENT'].includes(systemCode(error))) return undefined
  }
  return text
}

/**
 * Takes a lock that one process of this machine (on Linux: of this network namespace) can hold at a time.
 * @param answer sent to processes that want the same lock; at most 4096 bytes
 * @returns the lock, or the answer of its owner (empty when the owner does not respond)
 */
export async function acquireSocketLock(name: string, answer: () => string): Promise<SocketLock | string> {
  const address = socketPath(name)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const server = await listen(address, answer)
    if (server) return { release: () => new Promise((resolve) => void server.close(() => resolve())) }
    const ownersAnswer = await askOwner(address)
    if (ownersAnswer !== undefined) return ownersAnswer
    // The owner ended between the two calls, or left its socket file behind.
    if (!address.startsWith('\0')) rmSync(address, { force: true })
  }
  return ''
}
