import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { nicenessOfThreads } from '../test/thread-niceness.ts'
import { giveLowestPriority, giveLowPriority } from './process-priority.ts'

test('the priority of a process that has started its threads already is lowered in all of them', async ({ skip }) => {
  skip(process.platform !== 'linux', 'reads /proc')
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
  onTestFinished(() => void child.kill())
  const pid = child.pid!
  await expect.poll(() => nicenessOfThreads(pid).length, { interval: 20 }).toBeGreaterThan(4)
  giveLowPriority(pid)
  expect(new Set(nicenessOfThreads(pid))).toEqual(new Set([10]))
  expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('800')
  giveLowestPriority(pid)
  expect(new Set(nicenessOfThreads(pid))).toEqual(new Set([19]))
})
