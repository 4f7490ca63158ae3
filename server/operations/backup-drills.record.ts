import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import { Pool } from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Program, startProgram } from '../test/child-processes.ts'
import { serverForThisTest, type TestServer, useServer } from '../test/harness.ts'
import { createBucket, sharedGateway } from '../test/radosgw.ts'
import { urlOf } from '../test/server-process.ts'
import { logWithSeed, seededRandom } from '../test/statistics.ts'
import { checkBackup, chooseBackup } from './check-backup.ts'
import {
  accountWithPhotos,
  backUpServer,
  databaseContents,
  newTarget,
  restoreInto,
  silent,
  type Target,
  temporaryFolder,
} from '../test/backups.ts'
import { postgres15 } from '../test/postgres-15.ts'

const photos = 1_000
const killPoints = 20

let user: { id: string; token: string }
let before: object
let hashes: Map<string, string>

async function hashesOf({ app }: TestServer): Promise<Map<string, string>> {
  const { storage } = app.deps
  const found = new Map<string, string>()
  for await (const { key } of storage.list()) {
    const bytes = await storage.open(key)
    if (bytes)
      found.set(
        key,
        createHash('sha256')
          .update(await buffer(bytes))
          .digest('hex'),
      )
  }
  return found
}

const server = useServer()
beforeAll(async () => {
  user = await accountWithPhotos(server, photos)
  before = await databaseContents(server.database)
  hashes = await hashesOf(server)
}, 600_000)

function operate({ database, dir }: Target, words: string[], env: Record<string, string> = {}): Program {
  return startProgram(onTestFinished, [process.execPath, join(import.meta.dirname, '../main.ts'), ...words], {
    env: {
      DATABASE_URL: urlOf(database),
      DATA_DIR: dir,
      SECRET_KEY: 'a secret of the tests, long enough',
      PUBLIC_URL: 'http://photos.test',
      LOG_LEVEL: 'error',
      ...env,
    },
  })
}

async function timeOf(program: Program): Promise<number> {
  const startedAt = performance.now()
  expect([await program.ended, program.stderr()]).toEqual([0, expect.any(String)])
  return performance.now() - startedAt
}

/** Starts a command, kills it after so many milliseconds, and says whether it was still running. */
async function killAfter(program: Program, ms: number): Promise<boolean> {
  await delay(ms)
  return program.child.kill('SIGKILL') && (await program.ended) === 'SIGKILL'
}

/** Random moments, one in each part of the time that the whole takes. */
function pointsIn(wholeMs: number, what: string): number[] {
  const random = seededRandom(what)
  return Array.from(
    { length: killPoints },
    (_, at) => ((at + random.integerBelow(1_000) / 1_000) * wholeMs) / killPoints,
  )
}

/** What a restore that was killed has left. */
async function stateOf({ database, dir }: Target): Promise<'no rows' | 'no files' | 'some files' | 'everything'> {
  const pool = new Pool({ ...database, max: 1 })
  try {
    // PostgreSQL notices only after a moment that a program was killed, and may still end what that had begun.
    const others = `select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`
    await expect.poll(async () => (await pool.query(others)).rowCount).toBe(0)
    const { rows: tables } = await pool.query<{ found: boolean }>(`select to_regclass('restores') is not null as found`)
    if (!tables[0]?.found) return 'no rows'
    const { rows } = await pool.query<{ begun: boolean; restored: boolean }>(
      'select exists (select from restores) as begun, exists (select from photos) as restored',
    )
    if (!rows[0]?.restored) return 'no rows'
    if (!rows[0].begun) return 'everything'
  } finally {
    await pool.end()
  }
  const entries = await readdir(join(dir, 'files'), { recursive: true }).catch(() => [])
  return entries.some((path) => /^(full|thumb)\/..\//.test(path)) ? 'some files' : 'no files'
}

/** A server on what was restored has everything. */
async function expectWhole(target: Target, env: Record<string, string> = {}): Promise<TestServer> {
  expect(await databaseContents(target.database)).toEqual(before)
  const restored = await serverForThisTest(env, target)
  expect(await hashesOf(restored)).toEqual(hashes)
  const answer = await restored.request({ method: 'GET', url: '/photos?limit=10', token: user.token })
  expect(answer.statusCode).toBe(200)
  return restored
}

test(`${photos} photos come back with every byte`, async () => {
  const backups = await temporaryFolder()
  const { manifest } = await backUpServer(server, backups)
  expect(manifest.files).toBe(photos * 2)
  const target = await newTarget()
  await restoreInto(target, backups)
  await expectWhole(target)
})

test(`a backup that is killed at ${killPoints} points is complete when it is run again`, async () => {
  const source = { database: server.database, dir: server.dir }
  const wholeMs = await timeOf(operate(source, ['backup', await temporaryFolder()]))
  let killed = 0
  for (const ms of pointsIn(wholeMs, 'kills of backups')) {
    const backups = await temporaryFolder()
    if (await killAfter(operate(source, ['backup', backups]), ms)) killed += 1
    await timeOf(operate(source, ['backup', backups]))
    const manifest = await chooseBackup(backups)
    expect(manifest).toMatchObject({ files: photos * 2, missing: 0 })
    await checkBackup(backups, manifest, { progress: silent })
    await rm(backups, { recursive: true })
  }
  logWithSeed(`backup of ${photos} photos: ${killed} of ${killPoints} killed before their end, none lost`)
  expect(killed).toBeGreaterThan(killPoints / 2)
})

test(`a restore that is killed at ${killPoints} points is complete when it is run again`, async () => {
  const backups = await temporaryFolder()
  await backUpServer(server, backups)
  const wholeMs = await timeOf(operate(await newTarget(), ['restore', backups]))
  let killed = 0
  const states = new Map<string, number>()
  for (const ms of pointsIn(wholeMs, 'kills of restores')) {
    const target = await newTarget()
    if (await killAfter(operate(target, ['restore', backups]), ms)) killed += 1
    const state = await stateOf(target)
    states.set(state, (states.get(state) ?? 0) + 1)
    const again = operate(target, ['restore', backups])
    // If the restore was killed after its last statement, the target is complete, so a second restore is refused.
    const [exitCode, said] = state === 'everything' ? [1, 'The database is in use'] : [0, '']
    expect([await again.ended, again.stderr()]).toEqual([exitCode, expect.stringContaining(said)])
    await expectWhole(target)
    await rm(target.dir, { recursive: true })
  }
  const seen = [...states].map(([state, count]) => `${count} with ${state}`).join(', ')
  logWithSeed(`restore of ${photos} photos: ${killed} of ${killPoints} killed before their end (${seen}), none lost`)
  expect(killed).toBeGreaterThan(killPoints / 2)
  expect([...states.keys()]).toEqual(expect.arrayContaining(['no rows', 'some files']))
})

describe('into another PostgreSQL and another store', () => {
  test('PostgreSQL 15 of Debian, as a user who is no superuser, and back', async () => {
    const backups = await temporaryFolder()
    await backUpServer(server, backups)
    const fifteen = { database: await postgres15(), dir: await temporaryFolder() }
    await restoreInto(fifteen, backups)
    const restored = await expectWhole(fifteen)
    const again = await temporaryFolder()
    const { manifest } = await backUpServer(restored, again)
    expect(manifest.postgres).toMatch(/^15\./)
    const target = await newTarget()
    await restoreInto(target, again)
    await expectWhole(target)
  })

  test('from disk into a bucket, and back', async () => {
    const backups = await temporaryFolder()
    await backUpServer(server, backups)
    const env = await createBucket(await sharedGateway())
    const inBucket = await newTarget()
    await restoreInto(inBucket, backups, { env })
    const restored = await expectWhole(inBucket, env)
    const again = await temporaryFolder()
    const { manifest } = await backUpServer(restored, again)
    expect(manifest).toMatchObject({ storage: 's3', files: photos * 2, missing: 0 })
    const onDisk = await newTarget()
    await restoreInto(onDisk, again)
    await expectWhole(onDisk)
  })
})
