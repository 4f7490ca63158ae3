import { join } from 'node:path'
import { Client } from 'pg'
import { test } from 'vitest'
import { createLog } from '../runtime/log.ts'
import {
  databaseOf,
  killProcess,
  waitUntil,
  processesMatching,
  scratchFolder,
  startNumberStore,
  type Program,
} from '../test/child-processes.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { copyClusterTo } from './test/copied-cluster.ts'

const cycles = Number(process.env['KEEPSNAP_CYCLES'] ?? 3)
const log = createLog('silent')

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

test.concurrent('starts in a new data folder with UTF-8 and checksums, and leaves no process after the stop', async ({
  expect,
  onTestFinished,
}) => {
  const dataDir = join(scratchFolder(onTestFinished), 'data')
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

test.concurrent(
  'acknowledged commits survive every combination of killed program and database',
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
      const targets = {
        program: [program.pid],
        database: [postmaster],
        both: [program.pid, postmaster],
        everything: [program.pid, ...all],
      }
      const before = program.lines.length
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
    last.child.kill('SIGTERM')
    expect(await last.ended).toBe(0)
    expect(processesMatching(name)).toEqual([])
  },
)

test.concurrent('stops when its program is killed', async ({ expect, onTestFinished }) => {
  const dataDir = join(scratchFolder(onTestFinished), 'data')
  await copyClusterTo(dataDir)
  const program = startNumberStore(onTestFinished, dataDir)
  const { name } = await databaseOf(program)
  program.child.kill('SIGKILL')
  await waitUntil(() => processesMatching(name).length === 0, 'the end of the database')
  expect(processesMatching(name)).toEqual([])
})
