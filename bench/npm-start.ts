import { spawn } from 'node:child_process'
import { mkdirSync, openSync, closeSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@keepsnap/server/test/free-ports.ts'
import { findDescendant } from './process-memory.ts'

/** The program, started with `npm start`. */
export interface StartedProgram {
  address: string
  /** Of the server itself, a descendant of npm. */
  pid: number
  /** From the command to the first successful response of /ready. */
  readyMs: number
  stop(): Promise<void>
}

const root = join(import.meta.dirname, '..')
const timeoutMs = 60_000

/** Runs `npm start` with a data folder in `folder`, and waits until it is ready. */
export async function npmStart(folder: string, env: Record<string, string> = {}): Promise<StartedProgram> {
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir, { recursive: true })
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const log = join(folder, 'log')
  const logFile = openSync(log, 'a')
  const startedAt = performance.now()
  const npmProcess = spawn('npm', ['start'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: address,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      TRUSTED_PROXIES: '127.0.0.1',
      ...env,
    },
    stdio: ['ignore', logFile, logFile],
  })
  closeSync(logFile)
  const exited = new Promise((resolve) => npmProcess.on('exit', resolve))
  for (const end = startedAt + timeoutMs; ; await wait(20)) {
    if ((await fetch(`${address}/ready`).catch(() => undefined))?.ok) break
    if (performance.now() > end || npmProcess.exitCode !== null)
      throw new Error(`npm start did not become ready: ${readFileSync(log, 'utf8').slice(-1000)}`)
  }
  const readyMs = performance.now() - startedAt
  const pid = npmProcess.pid && findDescendant(npmProcess.pid, 'server/main.ts')
  if (!pid) throw new Error('the server is not a descendant of npm')
  return {
    address,
    pid,
    readyMs,
    async stop() {
      npmProcess.kill('SIGTERM')
      await exited
    },
  }
}
