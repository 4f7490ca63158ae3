import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { hasProc, isRunning } from '../server/runtime/processes.ts'
import { processesOf } from './end-run.ts'

const program = join(import.meta.dirname, 'test/endable-run.ts')

beforeEach(({ skip }) => skip(!hasProc, 'reads /proc'))

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends what a run has started, and its folder goes',
  async (signal) => {
    const run = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void run.kill('SIGKILL'))
    const lines = createInterface(run.stdout)[Symbol.asyncIterator]()
    const { folder, pids } = JSON.parse((await lines.next()).value ?? '') as { folder: string; pids: number[] } // its own line
    // Not those of this process: other test files of this worker start some, too.
    const processes = (): number[] => processesOf(folder, [run.pid ?? 0])
    // Three shells; each starts a sleep and, for its background work, another shell, which starts one, too.
    await expect.poll(() => processes().length).toBe(12)
    const started = [...pids, ...processes()]
    expect(started.filter(isRunning)).toEqual(started)
    const ended = once(run, 'exit')
    run.kill(signal)
    run.kill(signal)
    expect(await ended).toEqual([128 + constants.signals[signal], null])
    expect([started.filter(isRunning), existsSync(folder)]).toEqual([[], false])
  },
)
