import { rm } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { photoActions } from '../test/photo-actions.ts'
import { flipByte, storedFilePath } from '../test/consistency-check.ts'
import { useServer } from '../test/harness.ts'
import { isRecord } from '../test/statistics.ts'
import { makeUser, type TestUser } from '../test/test-data.ts'
import { integrityReport } from '../test/run-verify.ts'

let user: TestUser
const server = useServer({ LOG_LEVEL: 'silent' })
beforeAll(async () => {
  user = await makeUser(server)
  await server.db.updateTable('users').set({ granted_plan: 'pro_yearly' }).where('id', '=', user.id).execute()
})

const { uploaded, photoRowsOf } = photoActions(() => server)

const verify = (...args: string[]) => integrityReport(server, ...args)
const deletePhoto = (id: string) => server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
async function uploadMany(count: number): Promise<void> {
  for (let at = 0; at < count; at += 4)
    await Promise.all(Array.from({ length: Math.min(4, count - at) }, () => uploaded(user)))
}

test('photos that are uploaded, processed and deleted meanwhile are no problem, and a repair loses none of them', async () => {
  await uploadMany(4)
  await server.work()
  const first = await photoRowsOf(user)
  const change = async (): Promise<void> => {
    await uploadMany(4)
    for (const { id } of first.slice(0, 2)) await deletePhoto(id)
    await server.work()
  }
  const changing = change()
  const reports = [await verify('--all'), await verify('--all', '--repair', '--yes')]
  await changing
  reports.push(await verify('--all'))
  expect(reports.map(({ findings }) => findings)).toEqual([[], [], []])
  const { storage } = server.app.deps
  for (const { deleted_at: deletedAt, full_key: key, full_bytes: bytes } of await photoRowsOf(user))
    expect(await storage.sizeOf(key)).toBe(deletedAt === null ? bytes : null)
})

// With a few photos it is in verify-commands.test.ts.
test.each(isRecord ? [1_000] : [])(
  'of %i photos, 1 % of the files lost or flipped: all are reported, thumbnails are regenerated, nothing else changes',
  async (photoCount) => {
    await uploadMany(photoCount)
    await server.work()
    const rows = (await photoRowsOf(user)).filter(({ deleted_at: deletedAt }) => deletedAt === null)
    const pathOf = (key: string): string => storedFilePath(server, key)
    const keys = rows.flatMap((row) => [row.full_key, row.thumb_key])
    const damaged = keys.filter((_, at) => at % 100 === 0 || at % 100 === 51)
    for (const [at, key] of damaged.entries()) {
      await (at % 2 === 0 ? rm(pathOf(key)) : flipByte(pathOf(key)))
    }
    const { findings } = await verify('--all')
    const found = findings.reduce((sum, { count }) => sum + count, 0)
    expect([findings.map(({ kind }) => kind), found]).toEqual([['missing', 'damaged'], damaged.length])
    const fullImages = damaged.filter((key) => key.startsWith('full/'))
    const after = await verify('--all', '--repair', '--yes')
    expect(after.findings.reduce((sum, { count }) => sum + count, 0)).toBe(fullImages.length)
    const { pool } = server.app.deps
    const { rows: named } = await pool.query<{ key: string }>(
      'select full_key as key from photos where deleted_at is null',
    )
    expect(new Set(named.map(({ key }) => key))).toEqual(new Set(rows.map((row) => row.full_key)))
  },
  1_800_000,
)
