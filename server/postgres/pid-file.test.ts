import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../test/child-processes.ts'
import { readPidFile } from './pid-file.ts'

test('the file names the postmaster, its port, its socket folder and its state, which an incomplete one has not', () => {
  const clusterDir = scratchFolder(onTestFinished)
  expect(readPidFile(clusterDir)).toBeUndefined()
  const lines = ['4711', clusterDir, '1777000000', '5432', '/tmp/socket', '', '  5432001  1', 'ready   ', '']
  writeFileSync(join(clusterDir, 'postmaster.pid'), lines.join('\n'))
  expect(readPidFile(clusterDir)).toEqual({ pid: 4711, port: 5432, socketDir: '/tmp/socket', status: 'ready' })
  writeFileSync(join(clusterDir, 'postmaster.pid'), '4711\n')
  expect(readPidFile(clusterDir)).toMatchObject({ pid: 4711, status: '' })
})
