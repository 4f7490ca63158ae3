import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { processesOf } from './end-run.ts'

const program = join(import.meta.dirname, 'test/endable-run.ts')

/** Not gone, and not a zombie that nobody waits for. */
function isAlive(pid: number): boolean {
  try {
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

beforeEach(({ skip }) => skip(!existsSync('/proc/self/stat'), 'reads /proc'))

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends what a run has started, and its folder goes',
  async (signal) => {
    // What other test files of this worker have started does not belong to the run.
    const others = processesOf(program)
    const run = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void run.kill('SIGKILL'))
    const lines = createInterface(run.stdout)[Symbol.asyncIterator]()
    const { folder, pids } = JSON.parse((await lines.next()).value ?? '') as { folder: string; pids: number[] } // its own line
    const processes = (): number[] => processesOf(folder).filter((pid) => !others.includes(pid))
    await expect.poll(() => processes().length).toBeGreaterThanOrEqual(5)
    const started = [...pids, ...processes()]
    expect(started.filter(isAlive)).toEqual(started)
    const ended = once(run, 'exit')
    run.kill(signal)
    run.kill(signal)
    expect(await ended).toEqual([128 + constants.signals[signal], null])
    expect([started.filter(isAlive), existsSync(folder)]).toEqual([[], false])
  },
)
