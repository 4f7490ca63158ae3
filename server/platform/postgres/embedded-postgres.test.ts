import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { assert, beforeEach, describe, test } from 'vitest'
import { createLog } from '../process/log.ts'
import {
  databaseOf,
  killProcess,
  processesMatching,
  type Program,
  scratchFolder,
  startNumberStore,
  startProgram,
  waitUntil,
} from '../../test/child-processes.ts'
import { copyProject, createFolderOfUnprivilegedUser, isRoot, unprivilegedUser } from '../../test/project-copy.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { copyClusterTo } from '../../test/copied-cluster.ts'

const cycles = Number(process.env['KEEPSNAP_CYCLES'] ?? 3)
const log = createLog('silent')

/** Waits until the program's database runs, and stops the program. */
async function startAndStop(program: Program): Promise<void> {
  await program.waitForLine(/^ready/)
  const { all } = await databaseOf(program)
  assert(all.length > 0, 'a database runs')
  program.child.kill('SIGTERM')
  assert.equal(await program.ended, 0)
}

async function storedIn(dataDir: string): Promise<Set<string>> {
  const connection = findEmbeddedPostgres(dataDir)
  if (!connection) throw new Error('no database found')
  const client = new Client(connection)
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from stored')
  await client.end()
  return new Set(rows.map(({ id }) => id))
}

const acknowledgedBy = (program: Program): string[] =>
  program.lines.flatMap((line) => /^kept (\d+)$/.exec(line)?.[1] ?? [])

describe('the cluster', () => {
  test.concurrent('has UTF-8 and checksums, and leaves no process after the stop', async ({
    expect,
    onTestFinished,
  }) => {
    const dataDir = join(scratchFolder(onTestFinished), 'data')
    await copyClusterTo(dataDir)
    const database = await startEmbeddedPostgres({ dataDir, log, durable: false })
    expect(findEmbeddedPostgres(dataDir)).toEqual(database.connection)
    const client = new Client(database.connection)
    await client.connect()
    const { rows } = await client.query(
      "select current_setting('server_encoding') encoding, current_setting('data_checksums') checksums, current_setting('listen_addresses') addresses, current_database() name",
    )
    await client.end()
    const name = database.connection.host.split('/').at(-1) ?? ''
    expect(rows).toEqual([{ encoding: 'UTF8', checksums: 'on', addresses: '', name: 'keepsnap' }])
    expect(processesMatching(name).length).toBeGreaterThan(0)

    await database.stop()
    expect(database.state()).toBe('stopped')
    expect(processesMatching(name)).toEqual([])
    expect(findEmbeddedPostgres(dataDir)).toBeUndefined()
  })

  test.concurrent('is created again when its creation was interrupted', async ({ expect, onTestFinished }) => {
    const dataDir = join(scratchFolder(onTestFinished), 'data')
    const first = startNumberStore(onTestFinished, dataDir)
    await waitUntil(() => processesMatching(join(dataDir, 'postgres.new-')).length > 0, 'the creation of the cluster')
    killProcess(first.pid)
    const second = startNumberStore(onTestFinished, dataDir)
    await second.waitForLine(/^ready/)
    expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres'))).toEqual(['postgres'])
  })

  test.concurrent('of another major version is refused with advice', async ({ expect, onTestFinished }) => {
    const dataDir = join(scratchFolder(onTestFinished), 'data')
    await copyClusterTo(dataDir)
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
      /made by PostgreSQL 17 and this Keepsnap includes PostgreSQL 18\. With the Keepsnap that made it, run "npm run keepsnap -- backup DIR"; then set DATA_DIR to an empty folder, and with this one run "npm run keepsnap -- restore DIR"\./,
    )
  })

  test.concurrent('may have a path with spaces, quotes and dollar signs that is longer than that of a socket, below a folder that its user cannot enter; of a private folder of root it belongs to another user', async ({
    expect,
    onTestFinished,
  }) => {
    const closed = scratchFolder(onTestFinished, 0o700)
    const dataDir = join(closed, `my "photos" $HOME it's`, 'deep'.repeat(40), 'é'.repeat(80))
    mkdirSync(join(dataDir, '..'), { recursive: true })
    mkdirSync(dataDir, { mode: 0o700 })
    await startAndStop(startNumberStore(onTestFinished, dataDir))
    expect(statSync(closed).mode & 0o777).toBe(0o700)
    const cluster = statSync(join(dataDir, 'postgres'))
    expect(cluster.mode & 0o777).toBe(0o700)
    if (!isRoot) return
    expect(statSync(dataDir).mode & 0o777).toBe(0o711)
    expect(cluster.uid).not.toBe(0)
  })
})

test.concurrent(
  'acknowledged commits survive every combination of killed program and database, and the database ends with its program',
  { timeout: 300_000 + 10_000 * cycles },
  async ({ expect, onTestFinished }) => {
    const dataDir = join(scratchFolder(onTestFinished), 'data')
    await copyClusterTo(dataDir)
    const acknowledged = new Set<string>()
    const victims = ['program', 'database', 'both', 'everything'] as const
    for (let cycle = 0; cycle < cycles; cycle++) {
      const victim = victims[cycle % victims.length] ?? 'program'
      const program = startNumberStore(onTestFinished, dataDir, 4)
      const { postmaster, all } = await databaseOf(program)
      const stored = await storedIn(dataDir)
      expect(
        [...acknowledged].filter((id) => !stored.has(id)),
        `lost before cycle ${cycle}, ${victim}`,
      ).toEqual([])
      await program.waitForLine(/^kept/, 30)
      // Another program without the lock of the data folder does not stop it.
      if (cycle === 0)
        await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(`is in use by process ${program.pid}`)
      const before = program.lines.length
      await program.waitForLine(/^kept/, before)
      const targets = {
        program: [program.pid],
        database: [postmaster],
        both: [program.pid, postmaster],
        everything: [program.pid, ...all],
      }
      for (const pid of targets[victim]) killProcess(pid)
      if (victim === 'database') await program.waitForLine(/^kept/, before + 50)
      program.child.kill('SIGTERM')
      expect(await program.ended).toBe(victim === 'database' ? 0 : 'SIGKILL')
      for (const id of acknowledgedBy(program)) acknowledged.add(id)
    }
    const last = startNumberStore(onTestFinished, dataDir)
    const { name } = await databaseOf(last)
    const stored = await storedIn(dataDir)
    expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([])
    expect(acknowledged.size).toBeGreaterThan(cycles * 10)
    console.info(`${cycles} kills, ${acknowledged.size} acknowledged, none lost`)
    last.child.kill('SIGKILL')
    await waitUntil(() => processesMatching(name).length === 0, 'the end of the database')
  },
)

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

test.concurrent('in a container whose init process does not reap zombies, the next start does not wait for them', async ({
  expect,
  skip,
  onTestFinished,
}) => {
  skip(!canUnsharePids, 'needs the right to make PID namespaces')
  const dataDir = join(scratchFolder(onTestFinished), 'data')
  await copyClusterTo(dataDir)
  const init = join(import.meta.dirname, '../..', 'test', 'init-without-reaping.ts')
  const unshare = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
  const container = startProgram(onTestFinished, [...unshare, process.execPath, init, dataDir])
  const [, zombies] = await container.waitForLine(/^zombies (\d+)/)
  expect(Number(zombies)).toBeGreaterThan(1)
  await container.waitForLine(/^ready/)
  await container.waitForLine(/^ended SIGTERM/)
  expect(await container.ended).toBe(0)
})

describe('a project of root whose install scripts npm has blocked', () => {
  beforeEach(({ skip }) => skip(!isRoot, 'needs root'))

  test.concurrent("runs for a normal user, for root, and in root's home", async ({ expect, onTestFinished }) => {
    const home = scratchFolder(onTestFinished)
    const { storeIn, libraries } = copyProject(join(home, 'keep snap'), { blocked: true })
    const start = (dataDir: string, user = {}): Program => startProgram(onTestFinished, storeIn(dataDir), user)

    const ofUser = join(createFolderOfUnprivilegedUser(join(home, 'user')), 'data')
    await startAndStop(start(ofUser, unprivilegedUser))
    expect([statSync(ofUser).uid, statSync(ofUser).mode & 0o777]).toEqual([unprivilegedUser.uid, 0o700])
    const isLinked = (): boolean => existsSync(join(libraries, 'libicui18n.so.60'))
    expect(isLinked()).toBe(false)
    // Root creates the links of the package.
    await startAndStop(start(ofUser))
    expect(isLinked()).toBe(true)
    await startAndStop(start(ofUser, unprivilegedUser))

    chmodSync(home, 0o777)
    const nameless = start(join(home, 'data'), { uid: 54_321, gid: 54_321 })
    expect(await nameless.ended).toBe(1)
    expect(nameless.stderr()).toMatch(/needs a user with a name: add the user to \/etc\/passwd/)

    // PostgreSQL runs from a copy that is made once.
    chmodSync(home, 0o700)
    const dataDir = join(scratchFolder(onTestFinished), 'data')
    await copyClusterTo(dataDir)
    await startAndStop(start(dataDir))
    const copy = readdirSync(dataDir).find((name) => name.startsWith('postgres-binaries-')) ?? ''
    const createdAt = statSync(join(dataDir, copy)).ctimeMs
    await startAndStop(start(dataDir))
    expect(statSync(join(dataDir, copy)).ctimeMs).toBe(createdAt)
  })
})
