import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createServer } from 'node:net'
import { isRunning } from '../platform/process/processes.ts'

/** A program that a test started, and what it has said so far. */
export interface Program {
  pid: number
  child: ChildProcess
  /** Whole lines of its standard output. */
  lines: string[]
  stderr(): string
  /** Waits, for at most 60 s, for a line that matches from line number `after` on. */
  waitForLine(pattern: RegExp, after?: number): Promise<RegExpExecArray>
  /** Resolves to the exit code, or the signal's name. */
  ended: Promise<number | string>
}

/** Vitest's `onTestFinished`; tests that run beside each other pass their own. */
export type Cleanup = (work: () => void | Promise<void>) => void

const limitMs = 60_000
const storeProgram = join(import.meta.dirname, 'number-store-program.ts')

/** A folder under the temporary one that is removed after the test. */
export function scratchFolder(cleanup: Cleanup, mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), 'keepsnap-test-'))
  chmodSync(folder, mode)
  cleanup(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** Waits, for at most 60 s, until `done` returns true. */
export async function waitUntil(done: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + limitMs; !done(); await delay(20))
    if (Date.now() > end) throw new Error(`timed out waiting for ${what}`)
}

/** Living processes whose command line holds `text`, apart from this one. */
export function processesMatching(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => {
      try {
        return isRunning(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(text)
      } catch {
        return false
      }
    })
}

/** Starts any command; it is killed when the test ends. */
export function startProgram(
  cleanup: Cleanup,
  words: readonly string[],
  options: { env?: NodeJS.ProcessEnv; uid?: number; gid?: number; cwd?: string } = {},
): Program {
  const [command = '', ...args] = words
  const child = spawn(command, args, {
    ...options,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let [rest, stderrText] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderrText += text))
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string) // as documented for this event
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  cleanup(async () => {
    child.kill('SIGTERM')
    await Promise.race([ended, delay(10_000, undefined, { ref: false })])
    child.kill('SIGKILL')
    await ended
  })
  return {
    pid: child.pid ?? 0,
    child,
    lines,
    stderr: () => stderrText,
    ended,
    async waitForLine(pattern, after = 0) {
      const found = () =>
        lines
          .slice(after)
          .map((line) => pattern.exec(line))
          .find((match) => match !== null)
      await waitUntil(() => hasEnded || found() !== undefined, `${pattern} in the output of ${words.join(' ')}`)
      const match = found()
      if (!match) throw new Error(`${words.join(' ')} ended without ${pattern}: ${lines.join('\n')}${stderrText}`)
      return match
    },
  }
}

/** The program that stores numbers, started by the Node that runs the tests. Its database is gone after the test. */
export function startNumberStore(cleanup: Cleanup, dataDir: string, writers = 0): Program {
  let socketDir = ''
  cleanup(async () => {
    if (!socketDir) return
    await waitUntil(() => processesMatching(basename(socketDir)).length === 0, 'the end of the database')
    rmSync(socketDir, { recursive: true, force: true })
  })
  const program = startProgram(cleanup, [process.execPath, storeProgram, dataDir, String(writers)])
  const readSocketDir = (): void => void (socketDir ||= /^ready \d+ (.*)$/m.exec(program.lines.join('\n'))?.[1] ?? '')
  program.child.stdout?.on('data', readSocketDir)
  return program
}

/** Its postmaster and all other processes of its database, found by the name of the cluster. */
export async function databaseOf(program: Program): Promise<{ postmaster: number; all: number[]; name: string }> {
  const match = await program.waitForLine(/^ready \d+ .*\/(keepsnap-[0-9a-f]{12})/)
  const name = match[1] ?? ''
  const all = processesMatching(name)
  const postmaster = all.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`cluster_name=${name}`))
  return { postmaster: postmaster ?? 0, all, name }
}

/** Ends one of this test's processes by its number; one that is gone already is fine. */
export function killProcess(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Gone.
  }
}

/** Above the ports of common programs and those that browsers refuse. */
const firstPort = 12_288
const rangeCount = 8

/** The first ephemeral port: Linux reports it; on other systems it is at least 32,768. */
function firstEphemeralPort(): number {
  try {
    const first = Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'latin1'), 10)
    // Where hardly any port is below, ours may be taken by chance.
    return first >= firstPort + 100 * rangeCount ? first : 32_768
  } catch {
    return 32_768
  }
}

const rangeSize = Math.floor((firstEphemeralPort() - firstPort) / rangeCount)
/** A worker of Vitest has a number from 1; everything else, such as the global setup, has the first range. */
const range = Number(process.env['VITEST_POOL_ID'] ?? 0) % rangeCount
// Other runs on this machine use the same ranges.
const start = Math.floor(Math.random() * rangeSize)
let tried = 0

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

/**
 * A port of the loopback interface that is free now. Nothing else is likely to take it: it is not an ephemeral port,
 * each worker of this run has its own range, and this process gets each port once.
 */
export async function freePort(): Promise<number> {
  while (tried < rangeSize) {
    const port = firstPort + range * rangeSize + ((start + tried++) % rangeSize)
    if (await isFree(port)) return port
  }
  throw new Error('all ports of this process have been given')
}

/** Such ports, all different. */
export const freePorts = (count: number): Promise<number[]> => Promise.all(Array.from({ length: count }, freePort))
