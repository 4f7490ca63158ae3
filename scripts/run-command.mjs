import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A problem that the user can fix; the message says how. */
export class SetupError extends Error {}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
const limitMs = 20 * 60_000
const keptLines = 40

/** Stops the running commands when the parent process ends: npm does not forward its own death to its scripts. */
export function stopWithParent() {
  const parent = process.ppid
  const stop = () => {
    for (const child of running) child.kill('SIGTERM')
    process.exit(1)
  }
  setInterval(() => process.ppid === parent || stop(), 500).unref()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
}

/**
 * Runs a command, for at most 20 minutes.
 * @param {string[]} commandLine
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} where
 * @returns {Promise<{ ok: boolean, text: string }>} whether it exited with 0, and its last 40 lines
 */
export async function runCommand([command = '', ...args], where) {
  const child = spawn(command, args, { ...where, stdio: ['ignore', 'pipe', 'pipe'], timeout: limitMs })
  running.add(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part) => (text = (text + part).split('\n').slice(-keptLines).join('\n')))
  child.on('error', (error) => (text += error.message))
  const code = await new Promise((resolve) => child.on('close', resolve))
  running.delete(child)
  return { ok: code === 0, text: text.trim() }
}

const waitMs = 15 * 60_000

/** The process that has the lock, empty when it does not answer. @param {string} address */
async function ownerOf(address) {
  let owner = ''
  const socket = connect(address)
  socket.setTimeout(1_000, () => socket.destroy())
  try {
    for await (const part of socket) owner += part
  } catch (error) {
    // It has ended; where the address is a file, that is still there.
    const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
    if (isRefused && !address.startsWith('\0')) rmSync(address, { force: true })
  }
  return owner
}

/**
 * Locks the setup of this folder by a socket, which the kernel closes when this process ends, however it ends. Waits for at
 * most 15 minutes while another process has the lock.
 * @param {string} root
 * @param {(owner: string) => void} onWait called for each process that is waited for
 * @returns {Promise<() => void>} releases the lock
 */
export async function lockSetup(root, onWait) {
  const name = `keepsnap-setup-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`
  // On Linux a name that is no file.
  const address = process.platform === 'linux' ? `\0${name}` : join(tmpdir(), name)
  let known = ''
  for (const end = Date.now() + waitMs; Date.now() < end; await delay(100)) {
    const server = createServer((socket) => socket.on('error', () => {}).end(`process ${process.pid}`)).unref()
    try {
      await once(server.listen(address), 'listening')
      return () => void server.close()
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    }
    const owner = await ownerOf(address)
    if (owner && owner !== known) onWait(owner)
    known = owner || known
  }
  throw new SetupError(
    'Another process has been preparing this folder for 15 minutes. Stop it (its process id is above), then start again.',
  )
}
