import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SetupProblem } from './child.mjs'

const waitMs = 15 * 60_000

/** @param {unknown} error */
const codeOf = (error) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Linux has socket names that are no files and vanish with their process, however it ends. @param {string} root */
function addressFor(root) {
  const name = `keepsnap-setup-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), name)
}

/**
 * @param {string} address
 * @returns {Promise<(() => void) | undefined>} ends the turn; undefined when another process has it
 */
async function listen(address) {
  /** @type {Set<import('node:net').Socket>} */
  const waiting = new Set()
  const server = createServer((socket) => {
    // Left open: whoever waits hears the end of the turn, or of this process, from the kernel.
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
 * Waits for the end of the holder's turn.
 * @param {string} address
 * @param {{ limitMs: number, tell: (holder: string) => void }} options
 * @returns {Promise<boolean>} false when nobody holds the address
 */
async function waitForHolder(address, { limitMs, tell }) {
  const socket = connect(address)
  const limit = setTimeout(() => socket.destroy(), limitMs)
  try {
    for await (const word of socket) tell(String(word))
    return true
  } catch (error) {
    return !['ECONNREFUSED', 'ENOENT'].includes(codeOf(error))
  } finally {
    clearTimeout(limit)
  }
}

/**
 * Waits until no other process prepares this folder, for at most 15 minutes, and keeps others waiting from then on.
 * @param {string} root
 * @param {(holder: string) => void} tell called for each process that is waited for
 * @returns {Promise<() => void>} ends the turn; so does the end of this process
 */
export async function takeTurn(root, tell) {
  const address = addressFor(root)
  for (const end = Date.now() + waitMs; Date.now() < end; await delay(50)) {
    const endTurn = await listen(address)
    if (endTurn) return endTurn
    const held = await waitForHolder(address, { limitMs: end - Date.now(), tell })
    if (!held && !address.startsWith('\0')) rmSync(address, { force: true })
  }
  throw new SetupProblem(
    'Another process has been preparing this folder for 15 minutes. Stop it (its number is above), then start again.',
  )
}
