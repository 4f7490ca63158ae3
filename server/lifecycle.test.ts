import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { stopInOrder, type Closer } from './lifecycle.ts'
import { createLog } from './log.ts'
import { end, eventually, processesWith, scratchFolder, startProgram } from './test/programs.ts'

const log = createLog('silent')
const program = join(import.meta.dirname, 'test', 'holder-program.ts')
const stubborn = join(import.meta.dirname, 'test', 'stubborn-program.ts')

test('parts are closed one after the other, and one that fails or hangs does not keep the rest open', async () => {
  const done: string[] = []
  const closer = (name: string, close: () => Promise<void> | void): Closer => ({ name, limitMs: 200, close })
  const clean = await stopInOrder(
    [
      closer('first', async () => {
        await delay(20)
        done.push('first')
      }),
      closer('failing', () => {
        throw new Error('no')
      }),
      closer('hanging', () => new Promise(() => {})),
      closer('last', () => void done.push('last')),
    ],
    log,
  )
  expect(done).toEqual(['first', 'last'])
  expect(clean).toBe(false)
})

test('a stop in which every part finishes is a clean one', async () => {
  expect(await stopInOrder([{ name: 'only', limitMs: 1_000, close: () => {} }], log)).toBe(true)
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s ends the program in order', async (signal) => {
  const running = startProgram(onTestFinished, [process.execPath, program, scratchFolder(onTestFinished)])
  await running.says(/^held/)
  running.child.kill(signal)
  await running.says(new RegExp(`^${signal}`))
  expect(await running.ended).toBe(0)
})

test('a program whose npm was killed ends by itself', async () => {
  const shell = startProgram(onTestFinished, [
    'sh',
    '-c',
    `KEEPSNAP_PARENT=$$ "$0" "$1" & wait`,
    process.execPath,
    stubborn,
  ])
  await shell.says(/^waiting/)
  end(shell.pid)
  await shell.says(/^told: the program that started this one is gone/)
  await eventually(() => processesWith(stubborn).length === 0, 'its end')
  expect(processesWith(stubborn)).toEqual([])
})

test('the same signal twice at once is one request; a later one forces the end', async () => {
  const running = startProgram(onTestFinished, [process.execPath, stubborn, 'hang'])
  await running.says(/^waiting/)
  running.child.kill('SIGINT')
  running.child.kill('SIGINT')
  await running.says(/^told: SIGINT/)
  await delay(1_100)
  expect(running.child.exitCode).toBeNull()
  running.child.kill('SIGINT')
  expect(await running.ended).toBe(3)
})
