import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isRunning } from '../runtime/processes.ts'

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
