import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const script = `
  import { readdirSync, readFileSync } from 'node:fs'
  import { lowerPriority } from ${JSON.stringify(join(import.meta.dirname, 'low-priority.ts'))}
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
