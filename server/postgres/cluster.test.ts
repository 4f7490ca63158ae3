import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, test } from 'vitest'
import { createLog } from '../runtime/log.ts'
import { isRoot, copyProject, unprivilegedUser } from '../test/project-copy.ts'
import {
  killProcess,
  waitUntil,
  processesMatching,
  scratchFolder,
  startProgram,
  startNumberStore,
} from '../test/child-processes.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { copyClusterTo } from './test/copied-cluster.ts'
import { startAndStop } from './test/start-and-stop.ts'

const log = createLog('silent')

test.concurrent('an interrupted creation of the cluster begins again', async ({ expect, onTestFinished }) => {
  const dataDir = join(scratchFolder(onTestFinished), 'data')
  const first = startNumberStore(onTestFinished, dataDir)
  await waitUntil(() => processesMatching(join(dataDir, 'postgres.new-')).length > 0, 'the creation of the cluster')
  killProcess(first.pid)
  const second = startNumberStore(onTestFinished, dataDir)
  await second.waitForLine(/^ready/)
  expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres'))).toEqual(['postgres'])
})

test.concurrent('a cluster of another major version is refused with advice', async ({ expect, onTestFinished }) => {
  const dataDir = join(scratchFolder(onTestFinished), 'data')
  await copyClusterTo(dataDir)
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
    /made by PostgreSQL 17 and this Keepsnap includes PostgreSQL 18\. With the Keepsnap that made it, run "npm run keepsnap -- backup DIR"; then set DATA_DIR to an empty folder, and with this one run "npm run keepsnap -- restore DIR"\./,
  )
})

describe('when started by root', () => {
  beforeEach(({ skip }) => skip(!isRoot, 'needs root'))

  test.concurrent('a private data folder becomes passable, and the cluster belongs to another user', async ({
    expect,
    onTestFinished,
  }) => {
    const dataDir = join(scratchFolder(onTestFinished), 'data')
    mkdirSync(dataDir, { mode: 0o700 })
    const program = startNumberStore(onTestFinished, dataDir)
    await program.waitForLine(/^ready/)
    expect(statSync(dataDir).mode & 0o777).toBe(0o711)
    expect(statSync(join(dataDir, 'postgres')).uid).not.toBe(0)
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
  })

  test.concurrent("a data folder works although the database's user cannot enter the folder above it", async ({
    expect,
    onTestFinished,
  }) => {
    const closed = scratchFolder(onTestFinished, 0o700)
    const dataDir = join(closed, 'keep snap', 'data')
    await startAndStop(startNumberStore(onTestFinished, dataDir))
    await startAndStop(startNumberStore(onTestFinished, dataDir))
    expect(statSync(closed).mode & 0o777).toBe(0o700)
  })

  test.concurrent("a normal user is refused root's data folder with advice", async ({ expect, onTestFinished }) => {
    const folder = scratchFolder(onTestFinished)
    const { storeIn } = copyProject(join(folder, 'keepsnap'))
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    chmodSync(dataDir, 0o711)
    const program = startProgram(onTestFinished, storeIn(dataDir), unprivilegedUser)
    expect(await program.ended).toBe(1)
    expect(program.stderr()).toMatch(
      /data folder .* belongs to user id 0 and Keepsnap was started by user id 65534: .*chown -R/,
    )
  })

  test.concurrent('a user without a name is refused with advice', async ({ expect, onTestFinished }) => {
    const folder = scratchFolder(onTestFinished, 0o777)
    const { storeIn } = copyProject(join(folder, 'keepsnap'))
    const program = startProgram(onTestFinished, storeIn(join(folder, 'data')), { uid: 54_321, gid: 54_321 })
    expect(await program.ended).toBe(1)
    expect(program.stderr()).toMatch(/needs a user with a name: add the user to \/etc\/passwd/)
  })
})
