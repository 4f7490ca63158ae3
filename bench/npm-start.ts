import { spawn } from 'node:child_process'
import { mkdirSync, openSync, closeSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@keepsnap/e2e/program.ts'
import { findBelow } from './process-memory.ts'

/** The program as its two-command instructions start it. */
export interface Started {
  address: string
  /** Of the server itself, below npm. */
  pid: number
  /** From the command to the first answer that it takes requests. */
  readyMs: number
  stop(): Promise<void>
}

const root = join(import.meta.dirname, '..')
const readyWithinMs = 60_000

/** Runs `npm start` with a data folder, and waits until it is ready. */
export async function npmStart(scratch: string, env: Record<string, string> = {}): Promise<Started> {
  const dataDir = join(scratch, 'data')
  mkdirSync(dataDir, { recursive: true })
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const log = join(scratch, 'log')
  const out = openSync(log, 'a')
  const began = performance.now()
  const child = spawn('npm', ['start'], {
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
    stdio: ['ignore', out, out],
  })
  closeSync(out)
  const ended = new Promise((resolve) => child.on('exit', resolve))
  for (const end = began + readyWithinMs; ; await delay(20)) {
    if ((await fetch(`${address}/ready`).catch(() => undefined))?.ok) break
    if (performance.now() > end || child.exitCode !== null)
      throw new Error(`npm start did not become ready: ${readFileSync(log, 'utf8').slice(-1000)}`)
  }
  const readyMs = performance.now() - began
  const pid = findBelow(child.pid!, 'server/main.ts')
  if (pid === undefined) throw new Error('the server is not below npm')
  return {
    address,
    pid,
    readyMs,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
