import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Client } from 'pg'
import { compileCache } from '@keepsnap/e2e/program.ts'
import {
  comparedWith,
  measured,
  ratioAtMost,
  type BenchOptions,
  type Measurement,
  type BenchmarkPart,
} from '../measurement.ts'
import { sampleOf, smallPhoto } from '../sample-photos.ts'
import { quantile } from '../statistics.ts'
import { startTestServer, type TestUser } from '../test-server.ts'
import { timeCalls, type UserCalls } from '../timed-calls.ts'

const photoCount = { full: 10_000, quick: 1_000 } as const
/** Beside full load a backup of low priority takes minutes; the load without one is measured for a shorter time. */
const rounds = 1
const withoutMs = 90_000
const uploadsAtOnce = 4
const mostApiRatio = 2
const mostSecondRatio = 0.1

interface Keys {
  full_key: string
  thumb_key: string
}

const pathOf = (dataDir: string, key: string): string => {
  const [kind = '', name = ''] = key.split('/')
  return join(dataDir, 'files', kind, name.slice(0, 2), name)
}

/** Gives a user copies of their one photo, with files of their own. */
async function copyWithFiles(database: Client, dataDir: string, { id, count }: { id: string; count: number }) {
  const { rows: sources } = await database.query<Keys>('select full_key, thumb_key from photos where user_id = $1', [
    id,
  ])
  const { rows: copies } = await database.query<Keys>(
    `with copies as (
       insert into photos (id, user_id, code, filename, state, created_at, counted_month, full_key, full_type, full_bytes,
         thumb_key, thumb_bytes, width, height, thumbhash)
       select left(md5(random()::text), 22), user_id, left(md5(random()::text), 22), filename, state, created_at, counted_month,
         'full/' || left(md5(random()::text), 22), full_type, full_bytes,
         'thumb/' || left(md5(random()::text), 22), thumb_bytes, width, height, thumbhash
       from photos, generate_series(1, $2) where user_id = $1 returning id, full_key, thumb_key
     ), registered as (
       insert into stored_objects (key, photo_id) select unnest(array[full_key, thumb_key]), id from copies
     )
     select full_key, thumb_key from copies`,
    [id, count],
  )
  const [source] = sources
  if (!source) throw new Error('the user has no photo')
  for (const copy of copies)
    for (const [from, to] of [
      [source.full_key, copy.full_key],
      [source.thumb_key, copy.thumb_key],
    ]) {
      const path = pathOf(dataDir, to ?? '')
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      copyFileSync(pathOf(dataDir, from ?? ''), path)
    }
}

/** Runs the command, as an operator does, and resolves with its seconds. */
async function backUp(dataDir: string, dir: string): Promise<number> {
  const startedAt = performance.now()
  const command = spawn(process.execPath, [join(import.meta.dirname, '../../server/main.ts'), 'backup', dir], {
    env: { PATH: process.env.PATH ?? '', ...compileCache, DATA_DIR: dataDir, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [exitCode] = await once(command, 'exit')
  if (exitCode !== 0) throw new Error(`the backup ended with ${String(exitCode)}`)
  return (performance.now() - startedAt) / 1000
}

/** So many that nobody reaches the limit of uploads per minute. */
const uploaderCount = 40

/** Uploads photos without a pause until the work is done: the image processes are always busy. */
async function whileUploading<Result>(
  uploaders: TestUser[],
  photo: Buffer,
  work: () => Promise<Result>,
): Promise<Result> {
  const end = new AbortController()
  let uploads = 0
  const uploading = Array.from({ length: uploadsAtOnce }, async () => {
    while (!end.signal.aborted) await uploaders[uploads++ % uploaders.length]?.uploadTimed(photo)
  })
  try {
    return await work()
  } finally {
    end.abort()
    await Promise.all(uploading)
  }
}

/** The 99th percentile of calls while some work goes on. */
async function p99While(calls: UserCalls, work: Promise<unknown>): Promise<number> {
  let isOver = false
  void work.finally(() => (isOver = true))
  const times = await timeCalls(calls, () => isOver)
  await work
  return quantile(times, 0.99)
}

type Times = Record<'first' | 'second' | 'underLoad' | 'beside' | 'without', number[]>

async function measureBackup({ scratchDir, quick, log }: BenchOptions): Promise<Measurement[]> {
  const server = await startTestServer(scratchDir)
  const dataDir = join(scratchDir, 'data')
  const [owner, ...uploaders] = await server.createUsers(uploaderCount + 1)
  if (!owner) throw new Error('there are no users')
  await owner.addPhoto(await smallPhoto())
  const database = await server.connectDatabase()
  await copyWithFiles(database, dataDir, { id: owner.id, count: quick ? photoCount.quick : photoCount.full })
  const photo = (await sampleOf('12 MP')).kept
  const calls: UserCalls = { user: owner, paths: ['/photos?limit=20', '/user/me'] }

  const times: Times = { first: [], second: [], underLoad: [], beside: [], without: [] }
  for (let round = 0; round < (quick ? 1 : rounds); round++) {
    const dir = join(scratchDir, `backups-${round}`)
    times.first.push(await backUp(dataDir, dir))
    times.second.push(await backUp(dataDir, dir))
    rmSync(dir, { recursive: true })
    await whileUploading(uploaders, photo, async () => {
      const startedAt = performance.now()
      times.beside.push(await p99While(calls, backUp(dataDir, dir)))
      const tookMs = performance.now() - startedAt
      times.underLoad.push(tookMs / 1000)
      const without = new Promise((resolve) => setTimeout(resolve, Math.min(tookMs, withoutMs)))
      times.without.push(await p99While(calls, without))
    })
    rmSync(dir, { recursive: true })
    log(`first ${times.first.at(-1)?.toFixed(1)} s, second ${times.second.at(-1)?.toFixed(1)} s`)
    log(`API p99 ${times.beside.at(-1)?.toFixed(0)} ms beside a backup, ${times.without.at(-1)?.toFixed(0)} ms without`)
  }
  await server.stop()
  return measurementsOf(times)
}

function measurementsOf(times: Times): Measurement[] {
  const second = comparedWith(measured('second backup, nothing new', 's', times.second), {
    name: 'the first',
    values: times.first,
  })
  const beside = comparedWith(measured('API under full load beside a backup, p99', 'ms', times.beside), {
    name: 'under the same load without',
    values: times.without,
  })
  return [
    measured('first backup', 's', times.first),
    measured('first backup under full load', 's', times.underLoad),
    ratioAtMost(second, mostSecondRatio),
    ratioAtMost(beside, mostApiRatio),
  ]
}

export const backup: BenchmarkPart = {
  name: 'backup',
  title: 'Backups beside a running server',
  method: `${photoCount.full} photos with their files. Backups of a quiet server: the first into an empty folder, the second of the same. Then a first backup while ${uploadsAtOnce} clients upload 12 MP photos without a pause, and 100 calls of the API a second; the same load for ${withoutMs / 1000} seconds without a backup.`,
  run: measureBackup,
}
