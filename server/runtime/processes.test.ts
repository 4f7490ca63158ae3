import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { isRunning, isSameProcess, ownProcessId, readProcessStat } from './processes.ts'

test('this process is running, and is identified by its id and start time', () => {
  expect(isRunning(process.pid)).toBe(true)
  expect(isSameProcess(ownProcessId())).toBe(true)
})

test('a later process with the same id is another one', ({ skip }) => {
  skip(process.platform !== 'linux', 'start times are read from /proc')
  expect(isSameProcess(`${process.pid}-1`)).toBe(false)
})

test.each(['', 'x', '0-0', '-1', '4194305-1'])('%j identifies no process', (id) => {
  expect(isSameProcess(id)).toBe(false)
})

test('a process that has ended is not running', async () => {
  const child = spawn('true')
  await once(child, 'exit')
  expect(isRunning(child.pid ?? 0)).toBe(false)
})

test('the fields of a process are read also when its name contains spaces and brackets', async ({ skip }) => {
  skip(process.platform !== 'linux', 'reads /proc')
  const child = spawn('sh', ['-c', 'printf "a) (b" > /proc/$$/comm; echo ready; read line'])
  try {
    await once(child.stdout, 'data')
    const { name, fields } = readProcessStat(child.pid ?? 0)
    expect([name, fields[1]]).toEqual(['a) (b', String(process.pid)])
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})
