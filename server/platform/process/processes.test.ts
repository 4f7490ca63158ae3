import { execFileSync, spawn } from 'node:child_process'
import { basename, join } from 'node:path'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createProcessFolder, isRunning, isSameProcess, ownProcessId, readProcessStat } from './processes.ts'

describe('low priority', () => {
  const script = `
  import { readdirSync, readFileSync } from 'node:fs'
  import { lowerPriority } from ${JSON.stringify(join(import.meta.dirname, 'processes.ts'))}
  lowerPriority()
  // The fields of proc_pid_stat(5) from the third one on: the command before it may contain any character.
  const niceness = (thread) => readFileSync('/proc/self/task/' + thread + '/stat', 'latin1').split(') ').at(-1).split(' ')[16]
  console.log(JSON.stringify(readdirSync('/proc/self/task').map(niceness)))
`

  test('lowers the priority of each thread of its process', ({ skip }) => {
    skip(process.platform !== 'linux', 'reads /proc')
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    const threads = JSON.parse(output) as string[]
    expect(threads.length).toBeGreaterThan(1)
    expect(new Set(threads)).toEqual(new Set(['15']))
  })
})

describe('process folder', () => {
  test('removes the folders of dead processes of this machine, and keeps those of live processes and other machines', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'keepsnap-own-'))
    onTestFinished(() => rm(parent, { recursive: true, force: true }))
    const mine = await createProcessFolder(parent)
    await mkdir(join(parent, `${hostname()}@999999-1`))
    await mkdir(join(parent, 'another-machine@1-1'))
    expect(await createProcessFolder(parent)).toBe(mine)
    expect((await readdir(parent)).toSorted()).toEqual(['another-machine@1-1', basename(mine)].toSorted())
  })
})

describe('processes', () => {
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
})
