import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { test } from 'vitest'
import { createLog } from '../log.ts'
import {
  databaseOf,
  end,
  eventually,
  processesWith,
  scratchFolder,
  startProgram,
  startStore,
  type Program,
} from '../test/programs.ts'
import { findEmbedded, startEmbedded } from './embedded.ts'

const cycles = Number(process.env['KEEPSNAP_CYCLES'] ?? 6)
const log = createLog('silent')
const minuteMs = 60_000

async function storedIn(dataDir: string): Promise<Set<string>> {
  const connection = findEmbedded(dataDir)
  if (!connection) throw new Error('no database found')
  const client = new Client(connection)
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from stored')
  await client.end()
  return new Set(rows.map(({ id }) => id))
}

const keptBy = (program: Program): string[] => program.lines.flatMap((line) => /^kept (\d+)$/.exec(line)?.[1] ?? [])

test.concurrent('a new data folder gets a database that answers, writes UTF-8 with checksums, and is gone after the stop', async ({
  expect,
  onTestFinished,
}) => {
  const dataDir = join(scratchFolder(onTestFinished), 'data')
  const database = await startEmbedded({ dataDir, log, durable: false })
  expect(findEmbedded(dataDir)).toEqual(database.connection)
  const client = new Client(database.connection)
  await client.connect()
  const { rows } = await client.query(
    "select current_setting('server_encoding') encoding, current_setting('data_checksums') checksums, current_setting('listen_addresses') addresses, current_database() name",
  )
  await client.end()
  const name = database.connection.host.split('/').at(-1) ?? ''
  expect(rows).toEqual([{ encoding: 'UTF8', checksums: 'on', addresses: '', name: 'keepsnap' }])
  expect(processesWith(name).length).toBeGreaterThan(0)

  await database.stop()
  expect(database.state()).toBe('stopped')
  expect(processesWith(name)).toEqual([])
  expect(findEmbedded(dataDir)).toBeUndefined()
})

test.concurrent(
  'what is acknowledged is still there after any mixture of program and database was killed',
  { timeout: minuteMs + 10_000 * cycles },
  async ({ expect, onTestFinished }) => {
    const dataDir = join(scratchFolder(onTestFinished), 'data')
    const acknowledged = new Set<string>()
    const victims = ['program', 'database', 'both', 'everything'] as const
    for (let cycle = 0; cycle < cycles; cycle++) {
      const victim = victims[cycle % victims.length] ?? 'program'
      const program = startStore(onTestFinished, dataDir, 4)
      const { postmaster, all } = await databaseOf(program)
      const stored = await storedIn(dataDir)
      expect(
        [...acknowledged].filter((id) => !stored.has(id)),
        `lost before cycle ${cycle}, ${victim}`,
      ).toEqual([])
      await program.says(/^kept/)
      await delay(100)
      const targets = {
        program: [program.pid],
        database: [postmaster],
        both: [program.pid, postmaster],
        everything: [program.pid, ...all],
      }
      const before = program.lines.length
      for (const pid of targets[victim]) end(pid)
      if (victim === 'database') await program.says(/^kept/, before + 50)
      program.child.kill('SIGTERM')
      expect(await program.ended).toBe(victim === 'database' ? 0 : 'SIGKILL')
      for (const id of keptBy(program)) acknowledged.add(id)
    }
    const last = startStore(onTestFinished, dataDir)
    const { name } = await databaseOf(last)
    const stored = await storedIn(dataDir)
    expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([])
    expect(acknowledged.size).toBeGreaterThan(cycles * 10)
    console.info(`${cycles} kills, ${acknowledged.size} acknowledged, none lost`)
    last.child.kill('SIGTERM')
    expect(await last.ended).toBe(0)
    expect(processesWith(name)).toEqual([])
  },
)

test.concurrent('a killed program leaves no database running', async ({ expect, onTestFinished }) => {
  const program = startStore(onTestFinished, join(scratchFolder(onTestFinished), 'data'))
  const { name } = await databaseOf(program)
  program.child.kill('SIGKILL')
  await eventually(() => processesWith(name).length === 0, 'the end of the database')
  expect(processesWith(name)).toEqual([])
})

test.concurrent(
  'a program that kept nothing but its database alive is followed by a clean start',
  { timeout: minuteMs },
  async ({ expect, onTestFinished }) => {
    const dataDir = join(scratchFolder(onTestFinished), 'data')
    const first = startStore(onTestFinished, dataDir, 1)
    const { all, postmaster } = await databaseOf(first)
    // A backend that cannot end, as one waiting for a dead disk: frozen, while everything around it dies.
    const backend = all.find((pid) => pid !== postmaster && processesWith('[local]').includes(pid)) ?? 0
    expect(backend).not.toBe(0)
    end(backend, 'SIGSTOP')
    onTestFinished(() => end(backend))
    end(first.pid)
    end(postmaster)
    const second = startStore(onTestFinished, dataDir)
    await second.says(/^ready/)
    expect(processesWith('[local]')).not.toContain(backend)
  },
)

test.concurrent("the database of a program that runs is not taken away, even without that program's lock", async ({
  expect,
  onTestFinished,
}) => {
  const dataDir = join(scratchFolder(onTestFinished), 'data')
  const program = startStore(onTestFinished, dataDir, 1)
  await databaseOf(program)
  await expect(startEmbedded({ dataDir, log })).rejects.toThrow(`is in use by process ${program.pid}`)
  const before = program.lines.length
  await program.says(/^kept/, before)
})

test.concurrent('locks that name a living process of somebody else do not keep the database from starting', async ({
  expect,
  onTestFinished,
}) => {
  const dataDir = join(scratchFolder(onTestFinished), 'data')
  await (await startEmbedded({ dataDir, log, durable: false })).stop()
  // By the same user, or PostgreSQL would see by itself that it cannot be a database.
  const { uid, gid } = statSync(join(dataDir, 'postgres'))
  const other = startProgram(onTestFinished, ['sleep', '60'], { uid, gid })
  writeFileSync(
    join(dataDir, 'postgres', 'postmaster.pid'),
    `${other.pid}\n${dataDir}/postgres\n0\n5432\n/tmp\n\n\nready\n`,
  )
  expect(findEmbedded(dataDir)).toBeUndefined()
  const database = await startEmbedded({ dataDir, log, durable: false })
  await database.stop()
  expect(other.child.exitCode).toBeNull()
})

test.concurrent('a start that was cut short while making the database begins again', async ({
  expect,
  onTestFinished,
}) => {
  const dataDir = join(scratchFolder(onTestFinished), 'data')
  const first = startStore(onTestFinished, dataDir)
  await eventually(() => processesWith(join(dataDir, 'postgres.new-')).length > 0, 'the making of the database')
  end(first.pid)
  const second = startStore(onTestFinished, dataDir)
  await second.says(/^ready/)
  expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres'))).toEqual(['postgres'])
})

test.concurrent('a database of another major version is refused with the way out', async ({
  expect,
  onTestFinished,
}) => {
  const dataDir = join(scratchFolder(onTestFinished), 'data')
  await (await startEmbedded({ dataDir, log, durable: false })).stop()
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
  await expect(startEmbedded({ dataDir, log })).rejects.toThrow(
    /made by PostgreSQL 17 and this Keepsnap brings 18.*backup.*restore/,
  )
})
