import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readProcFile } from './read-proc-file.ts'

test.for(['/proc/self/limits', '/proc/self/cmdline', '/proc/sys/kernel/random/boot_id'])(
  'the whole of %s',
  (file, { skip }) => {
    skip(!existsSync(file), 'reads /proc')
    expect(readProcFile(file)).toBe(readFileSync(file, 'latin1'))
  },
)

test('nothing of a process that does not exist', () => {
  expect(readProcFile('/proc/4194305/stat')).toBe('')
})
