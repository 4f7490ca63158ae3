import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { liveNodes, storageState } from '../domain/storage-state.ts'
import { hasRadosgw } from '../test/radosgw.ts'
import { isRecord, report, seededRandom } from '../test/statistics.ts'
import { createFiles, createMovingScene, keysOf, repeatUntilStopped, type MovingScene } from './test/moving-scene.ts'

const canStart = hasRadosgw()
let scene: MovingScene
beforeAll(async () => {
  if (canStart) scene = await createMovingScene({ S3_DOWNLOADS: 'proxy' })
}, 90_000)
beforeEach(({ skip }) => skip(!canStart, 'needs radosgw, ceph-osd and ceph-mon'))
afterAll(() => scene?.close())

const program = join(import.meta.dirname, '../main.ts')

/** The command as an operator runs it; resolves with what it prints and its exit code, null when it was killed. */
function startCommand(...words: string[]) {
  const { env, database } = scene
  const { host = '', port, user, database: name } = database
  const settings = {
    ...env,
    DATABASE_URL: `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    SECRET_KEY: 'a secret of the tests, long enough',
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
  }
  const child = spawn(process.execPath, [program, 'move-storage', ...words], { env: settings })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += String(part)))
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, text }))
  return { child, ended }
}

test('killed at random moments beside uploads, reads and deletions, moves lose nothing and leave nothing behind', async () => {
  const { server, stores, move } = scene
  const random = seededRandom('killed moves')
  const files = await createFiles(scene)
  for (let n = 0; n < 60; n++) await files.add(1 + random.integerBelow(40_000))
  const large = await files.add(9 * 1024 * 1024)
  const using = repeatUntilStopped(async () => {
    await files.expectReadable(await files.add(1 + random.integerBelow(5_000)))
    const keys = [...files.live.keys()]
    await files.expectReadable(keys[random.integerBelow(keys.length)]!)
    if (keys.length > 70) await files.remove(keys.filter((key) => key !== large)[random.integerBelow(keys.length - 1)]!)
    await wait(isRecord ? 20 : 200)
  })
  const kills = isRecord ? 25 : 1
  const seen = new Map<string, number>()
  let to: 's3' | 'disk' = 's3'
  for (let n = 0; n < kills; n++) {
    const limit = random.integerBelow(3) > 0 ? ['--limit', '3'] : []
    const { child, ended } = startCommand(to, ...limit)
    await Promise.race([ended, wait(500 + random.integerBelow(isRecord ? 8_000 : 4_000))])
    child.kill('SIGKILL')
    const { code, text } = await ended
    expect(code === null ? 'killed' : text).toMatch(/^killed$|^All files are in/)
    const { store, step } = await storageState(server.db)
    const outcome = code === null ? `killed while ${step}, in use: ${store}` : 'ended before'
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
    for (const key of files.live.keys()) await files.expectReadable(key)
    if (code === 0 || random.integerBelow(4) === 0) to = to === 's3' ? 'disk' : 's3'
  }
  await move(to)
  const steps = await using.stop()
  const live = [...files.live.keys()].toSorted()
  expect(await keysOf(stores[to])).toEqual(live)
  expect(await keysOf(stores[to === 's3' ? 'disk' : 's3'])).toEqual([])
  for (const key of live) await files.expectReadable(key)
  const outcomes = [...seen].map(([outcome, count]) => `${count} ${outcome}`).join('; ')
  report(`${kills} moves of files: ${outcomes}; ${steps} uploads, reads and deletions beside them; none lost`)
}, 1_200_000)

test('is refused with wrong words, beside another move, and beside a server that has no bucket', async () => {
  const { server } = scene
  const refused = await startCommand('s3', '--limit', 'fast').ended
  expect([refused.code, refused.text]).toEqual([2, expect.stringContaining('move-storage s3 | disk')])
  await server.db
    .insertInto('storage_nodes')
    .values({ node: 'old', disk: 'another', s3: null, generation: 1 })
    .execute()
  const beside = await startCommand('s3').ended
  expect([beside.code, beside.text]).toEqual([1, expect.stringContaining('one has no settings of a bucket')])
  await server.db.updateTable('storage_nodes').set({ seen_at: '2026-01-01' }).where('node', '=', 'old').execute()
  expect(await liveNodes(server.db)).toHaveLength(1)
}, 60_000)
