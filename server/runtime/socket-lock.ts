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
const maxLockAttempts = 20

/** On Linux an abstract socket, which vanishes with its process; elsewhere a socket file in the temporary folder. */
const socketPath = (name: string): string =>
  process.platform === 'linux' ? `\0keepsnap-${name}` : join(tmpdir(), `keepsnap-${name}.lock`)

async function listenOnLockSocket(lockAddress: string, ownAnswer: () => string): Promise<Server | undefined> {
  const lockServer = createServer((lockSocket) => {
    lockSocket.on('error', () => {})
    lockSocket.end(ownAnswer())
  })
  lockServer.maxConnections = 32
  lockServer.unref()
  try {
    await once(lockServer.listen(lockAddress), 'listening')
    return lockServer
  } catch (error) {
    if (systemCode(error) === 'EADDRINUSE') return undefined
    throw error
  }
}

/** The answer of the lock's owner: empty when it does not respond in time, undefined when nobody holds the lock. */
async function askLockOwner(lockAddress: string): Promise<string | undefined> {
  const lockSocket = connect(lockAddress)
  lockSocket.setEncoding('utf8').setTimeout(answerTimeoutMs, () => lockSocket.destroy())
  let ownerAnswer = ''
  try {
    for await (const part of lockSocket) {
      ownerAnswer += part
      if (ownerAnswer.length >= maxAnswerBytes) break
    }
  } catch (error) {
    if (['ECONNREFUSED', 'ENOENT'].includes(systemCode(error))) return undefined
  }
  return ownerAnswer
}

/**
 * Takes a lock that one process of this machine (on Linux: of this network namespace) can hold at a time.
 * @param ownAnswer sent to processes that want the same lock; at most 4096 bytes
 * @returns the lock, or the answer of its owner (empty when the owner does not respond)
 */
export async function acquireSocketLock(name: string, ownAnswer: () => string): Promise<SocketLock | string> {
  const lockAddress = socketPath(name)
  for (let lockAttempt = 0; lockAttempt < maxLockAttempts; lockAttempt++) {
    const lockServer = await listenOnLockSocket(lockAddress, ownAnswer)
    if (lockServer) return { release: () => new Promise((resolve) => void lockServer.close(() => resolve())) }
    const ownersAnswer = await askLockOwner(lockAddress)
    if (ownersAnswer !== undefined) return ownersAnswer
    // The owner ended between the two calls, or left its socket file behind.
    if (!lockAddress.startsWith('\0')) rmSync(lockAddress, { force: true })
  }
  return ''
}
