import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { shutDown, type ShutdownStep } from './shutdown.ts'
import { createLog } from './log.ts'
import { killProcess, processesMatching, scratchFolder, startProgram } from '../../test/child-processes.ts'

const log = createLog('silent')
const lockProgram = join(import.meta.dirname, '../../test', 'folder-lock-program.ts')
const shutdownProgram = join(import.meta.dirname, '../../test', 'shutdown-program.ts')

test('steps run one after the other, and one that fails or hangs does not prevent the next ones', async () => {
  const done: string[] = []
  const step = (name: string, close: () => Promise<void> | void): ShutdownStep => ({ name, timeoutMs: 200, close })
  const clean = await shutDown(
    [
      step('first', async () => {
        await nextTurn()
        done.push('first')
      }),
      step('failing', () => {
        throw new Error('no')
      }),
      step('hanging', () => new Promise(() => {})),
      step('last', () => void done.push('last')),
    ],
    log,
  )
  expect(done).toEqual(['first', 'last'])
  expect(clean).toBe(false)
  expect(await shutDown([step('only', () => {})], log)).toBe(true)
})

test('SIGTERM, SIGINT and SIGHUP each start the graceful shutdown', async () => {
  const endBy = async (signal: NodeJS.Signals): Promise<number | string> => {
    const running = startProgram(onTestFinished, [process.execPath, lockProgram, scratchFolder(onTestFinished)])
    await running.waitForLine(/^held/)
    running.child.kill(signal)
    await running.waitForLine(new RegExp(`^${signal}`))
    return running.ended
  }
  expect(await Promise.all((['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map(endBy))).toEqual([0, 0, 0])
})

test('the program stops when its npm process is killed', async () => {
  const shell = startProgram(onTestFinished, [
    'sh',
    '-c',
    `KEEPSNAP_PARENT=$$ "$0" "$1" & wait`,
    process.execPath,
    shutdownProgram,
  ])
  await shell.waitForLine(/^waiting/)
  killProcess(shell.pid)
  await shell.waitForLine(/^told: the program that started this one is gone/)
  await expect.poll(() => processesMatching(shutdownProgram)).toEqual([])
})

test('the same signal twice at once counts once; a later one forces the exit', async () => {
  const running = startProgram(onTestFinished, [process.execPath, shutdownProgram, 'hang'])
  await running.waitForLine(/^waiting/)
  running.child.kill('SIGINT')
  running.child.kill('SIGINT')
  await running.waitForLine(/^told: SIGINT/)
  // The same signal within a second counts as one. The system delivers a second SIGINT before this signal.
  running.child.kill('SIGUSR2')
  await running.waitForLine(/^later/)
  expect(running.child.exitCode).toBeNull()
  running.child.kill('SIGINT')
  expect(await running.ended).toBe(3)
})
