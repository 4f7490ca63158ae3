import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SetupError } from './run-command.mjs'

const waitMs = 15 * 60_000

/** @param {unknown} error */
const codeOf = (error) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** A Linux socket name that is not a file and is released with its process, however that ends. @param {string} root */
function addressFor(root) {
  const name = `keepsnap-setup-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), name)
}

/**
 * @param {string} address
 * @returns {Promise<(() => void) | undefined>} releases the lock; undefined when another process has it
 */
async function listen(address) {
  /** @type {Set<import('node:net').Socket>} */
  const waiting = new Set()
  const server = createServer((socket) => {
    // Kept open: the kernel closes it when this process releases the lock or ends, which ends the wait.
    socket.unref()
    socket.on('error', () => {}).on('close', () => waiting.delete(socket))
    waiting.add(socket)
    socket.write(`process ${process.pid}`)
  })
  server.unref()
  try {
    await once(server.listen(address), 'listening')
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') return undefined
    throw error
  }
  return () => {
    server.close()
    for (const socket of waiting) socket.destroy()
  }
}

/**
 * Waits until the owner releases the lock.
 * @param {string} address
 * @param {{ limitMs: number, onWait: (owner: string) => void }} options
 * @returns {Promise<boolean>} false when no process has the lock
 */
async function waitForOwner(address, { limitMs, onWait }) {
  const socket = connect(address)
  const limit = setTimeout(() => socket.destroy(), limitMs)
  try {
    for await (const word of socket) onWait(String(word))
    return true
  } catch (error) {
    return !['ECONNREFUSED', 'ENOENT'].includes(codeOf(error))
  } finally {
    clearTimeout(limit)
  }
}

/**
 * Locks the setup of this folder. Waits for at most 15 minutes while another process has the lock.
 * @param {string} root
 * @param {(owner: string) => void} onWait called for each process that is waited for
 * @returns {Promise<() => void>} releases the lock; the end of this process releases it, too
 */
export async function lockSetup(root, onWait) {
  const address = addressFor(root)
  for (const end = Date.now() + waitMs; Date.now() < end; await delay(50)) {
    const unlock = await listen(address)
    if (unlock) return unlock
    const wasLocked = await waitForOwner(address, { limitMs: end - Date.now(), onWait })
    if (!wasLocked && !address.startsWith('\0')) rmSync(address, { force: true })
  }
  throw new SetupError(
    'Another process has been preparing this folder for 15 minutes. Stop it (its process id is above), then start again.',
  )
}
