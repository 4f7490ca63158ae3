import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PoolConfig } from 'pg'

const root = join(import.meta.dirname, '..')

/** The timeout of waits in tests. Generous, because a busy machine is slow; only failing tests wait so long. */
export const waitLimitMs = 120_000

/** The real program, as an operator runs it, on loopback. */
export interface Program {
  address: string
  pid: number
  /** Resolves when the process is gone, with its exit code or signal. */
  ended: Promise<number | NodeJS.Signals | null>
  kill(signal: NodeJS.Signals): void
  /** Stops it gracefully. */
  stop(): Promise<void>
}

export interface ProgramOptions {
  dataDir: string
  port: number
  command?: string[]
  env?: Record<string, string>
  /** Everything it prints is appended here. */
  log?: string
}

/** The settings for a program on a database of the tests' cluster. */
export const databaseEnv = ({ host, port, user, database }: PoolConfig): Record<string, string> => ({
  DATABASE_URL: `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host ?? '')}&port=${port}`,
  SECRET_KEY: 'a secret of the tests, long enough',
})

/** As in package.json: without it every start compiles all modules again. */
export const compileCache = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/keepsnap') }

async function untilReady(address: string, child: ChildProcess): Promise<void> {
  for (const end = Date.now() + waitLimitMs; Date.now() < end; await delay(50)) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the program ended at once (${child.exitCode ?? child.signalCode})`)
    const answer = await fetch(`${address}/ready`).catch(() => undefined)
    if (answer?.ok) return
  }
  throw new Error('the program did not become ready')
}

const spawnServer = (command: string[], env: Record<string, string>) =>
  spawn(process.execPath, [join(root, 'server/main.ts'), ...command], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...compileCache,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Starts the program and waits until it takes requests (or, without a port to ask, until it is spawned). */
export async function startProgram({
  dataDir,
  port,
  command = ['serve'],
  env = {},
  log,
}: ProgramOptions): Promise<Program> {
  const address = `http://127.0.0.1:${port}`
  const child = spawnServer(command, {
    PORT: String(port),
    PUBLIC_URL: address,
    DATA_DIR: dataDir,
    ...env,
  })
  const out = log ? createWriteStream(log, { flags: 'a' }) : undefined
  let lastOutput = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      out?.write(part)
      lastOutput = (lastOutput + String(part)).slice(-2_000)
    })
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on('exit', (code, signal) => resolve(signal ?? code)),
  )
  if (command[0] === 'serve')
    await untilReady(address, child).catch(async (error: unknown) => {
      child.kill('SIGTERM')
      await ended
      throw new Error(`${String(error)}\n${lastOutput}`)
    })
  if (child.pid === undefined) throw new Error('the program could not be started')
  return {
    address,
    pid: child.pid,
    ended,
    kill: (signal) => void child.kill(signal),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
