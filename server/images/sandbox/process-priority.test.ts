import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { giveLowestPriority, lowerPriority } from './process-priority.ts'

/** Field 19 of proc_pid_stat(5) of each thread; the command before the third field may contain any character. */
const nicenessOfThreads = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/task`).map(
    (thread) => readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1').split(') ').at(-1)!.split(' ')[16]!,
  )

test('the priority of a process that has started its threads already is lowered in all of them', async ({ skip }) => {
  skip(process.platform !== 'linux', 'reads /proc')
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
  onTestFinished(() => void child.kill())
  const pid = child.pid!
  await expect.poll(() => nicenessOfThreads(pid).length, { interval: 20 }).toBeGreaterThan(4)
  lowerPriority(pid)
  expect(new Set(nicenessOfThreads(pid))).toEqual(new Set(['10']))
  expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('800')
  giveLowestPriority(pid)
  expect(new Set(nicenessOfThreads(pid))).toEqual(new Set(['19']))
})
