import { spawnSync } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'vitest'
import { createLog } from '../runtime/log.ts'
import { isRoot } from '../test/project-copy.ts'
import {
  databaseOf,
  killProcess,
  processesMatching,
  scratchFolder,
  startProgram,
  startNumberStore,
} from '../test/child-processes.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { copyClusterTo } from './test/copied-cluster.ts'

const log = createLog('silent')

test.concurrent('a backend that survived its program and its postmaster is stopped by the next start', async ({
  expect,
  onTestFinished,
}) => {
  const dataDir = join(scratchFolder(onTestFinished), 'data')
  await copyClusterTo(dataDir)
  const first = startNumberStore(onTestFinished, dataDir, 1)
  const { all, postmaster } = await databaseOf(first)
  // A suspended backend cannot exit, like one that waits for a failed disk.
  const backend = all.find((pid) => pid !== postmaster && processesMatching('[local]').includes(pid)) ?? 0
  expect(backend).not.toBe(0)
  killProcess(backend, 'SIGSTOP')
  onTestFinished(() => killProcess(backend))
  killProcess(first.pid)
  killProcess(postmaster)
  const second = startNumberStore(onTestFinished, dataDir)
  await second.waitForLine(/^ready/)
  expect(processesMatching('[local]')).not.toContain(backend)
})

test.concurrent('the database of a running program is not stopped, even without its data folder lock', async ({
  expect,
  onTestFinished,
}) => {
  const dataDir = join(scratchFolder(onTestFinished), 'data')
  await copyClusterTo(dataDir)
  const program = startNumberStore(onTestFinished, dataDir, 1)
  await databaseOf(program)
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(`is in use by process ${program.pid}`)
  const before = program.lines.length
  await program.waitForLine(/^kept/, before)
})

test.concurrent('a lock file that names a process of another program is removed, and the process goes on', async ({
  expect,
  onTestFinished,
}) => {
  const dataDir = join(scratchFolder(onTestFinished), 'data')
  await copyClusterTo(dataDir)
  // Of the same user: PostgreSQL itself ignores processes of other users.
  const { uid, gid } = statSync(join(dataDir, 'postgres'))
  const other = startProgram(onTestFinished, ['sleep', '60'], { uid, gid })
  writeFileSync(
    join(dataDir, 'postgres', 'postmaster.pid'),
    `${other.pid}\n${dataDir}/postgres\n0\n5432\n/tmp\n\n\nready\n`,
  )
  expect(findEmbeddedPostgres(dataDir)).toBeUndefined()
  const database = await startEmbeddedPostgres({ dataDir, log, durable: false })
  await database.stop()
  expect(other.child.exitCode).toBeNull()
})

const canUnsharePids = isRoot && spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0

describe('in a container whose init process does not reap zombies', () => {
  beforeEach(({ skip }) => skip(!canUnsharePids, 'needs the right to make PID namespaces'))

  test.concurrent('the next start does not wait for zombies', async ({ expect, onTestFinished }) => {
    const dataDir = join(scratchFolder(onTestFinished), 'data')
    await copyClusterTo(dataDir)
    const init = join(import.meta.dirname, '..', 'test', 'init-without-reaping.ts')
    const container = startProgram(onTestFinished, [
      'unshare',
      '--pid',
      '--fork',
      '--mount-proc',
      '--kill-child',
      process.execPath,
      init,
      dataDir,
    ])
    const [, zombies] = await container.waitForLine(/^zombies (\d+)/)
    expect(Number(zombies)).toBeGreaterThan(1)
    await container.waitForLine(/^ready/)
    await container.waitForLine(/^ended SIGTERM/)
    expect(await container.ended).toBe(0)
  })
})
