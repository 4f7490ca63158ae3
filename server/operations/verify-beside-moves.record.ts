import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountWithPhotos } from '../test/backups.ts'
import { integrityReport } from '../test/run-verify.ts'
import { logWithSeed } from '../test/statistics.ts'
import { createMovingFixture, keysOf, type MovingFixture, repeatUntilStopped } from '../test/moving-fixture.ts'

const photos = 700

let fixture: MovingFixture
let user: { id: string; token: string }
beforeAll(async () => {
  fixture = await createMovingFixture()
  user = await accountWithPhotos(fixture.server, photos)
  await fixture.server.app.deps.pool.query('update usage_months set uploads = $1', [photos])
}, 600_000)
afterAll(() => fixture?.close())

const verify = (...args: string[]) => integrityReport(fixture.server, ...args)

test(`while ${photos} photos move to the bucket and back, verify finds nothing, and its repair loses nothing`, async () => {
  const { server, stores, move } = fixture
  const { pool } = server.app.deps
  const namedKeys = async (): Promise<string[]> => {
    const { rows } = await pool.query<{ key: string }>(
      `select full_key as key from photos union select thumb_key from photos order by 1`,
    )
    return rows.map(({ key }) => key).toSorted()
  }
  const before = await namedKeys()
  expect((await verify('--all')).findings).toEqual([])
  let checks = 0
  const checking = repeatUntilStopped(async () => {
    const args = checks % 2 === 0 ? ['--all'] : ['--sample', '0', '--repair', '--yes']
    expect((await verify(...args)).findings).toEqual([])
    checks += 1
  })
  await move('s3')
  await move('disk')
  await checking.stop()
  logWithSeed(`${checks} checks of ${photos} photos that were moved to a bucket and back, none lost`)
  expect(checks).toBeGreaterThan(2)
  expect(await namedKeys()).toEqual(before)
  expect(await keysOf(stores.disk)).toEqual(before)
  expect(await keysOf(stores.s3)).toEqual([])
}, 1_200_000)

test('a thumbnail that is lost or cut before a move is made again during it, and is there afterwards', async () => {
  const { server, stores, move } = fixture
  const { pool } = server.app.deps
  const { rows } = await pool.query<{ id: string; thumb_key: string }>(
    'select id, thumb_key from photos where user_id = $1 order by id limit 2',
    [user.id],
  )
  const pathOf = (key: string): string => {
    const [kind = '', name = ''] = key.split('/')
    return join(server.dir, 'files', kind, name.slice(0, 2), name)
  }
  const [lost, cut] = rows
  await rm(pathOf(lost!.thumb_key))
  await truncate(pathOf(cut!.thumb_key), 10)
  const moving = move('s3')
  const { findings } = await verify('--repair', '--yes')
  await moving
  expect(findings).toEqual([])
  const { rows: after } = await pool.query<{ key: string; bytes: number }>(
    'select thumb_key as key, thumb_bytes as bytes from photos where id = any($1)',
    [rows.map(({ id }) => id)],
  )
  for (const { key, bytes } of after) {
    expect(rows.map((row) => row.thumb_key)).not.toContain(key)
    expect(await stores.s3.sizeOf(key)).toBe(bytes)
  }
  expect((await verify('--all')).findings).toEqual([])
}, 600_000)
