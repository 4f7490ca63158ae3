import { spawn } from 'node:child_process'

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
