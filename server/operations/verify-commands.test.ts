import { mkdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, test, vi } from 'vitest'
import { newStorageKey } from '../features/photos/stored-objects.ts'
import { photoActions } from '../test/photo-actions.ts'
import { flipByte, storedFilePath } from '../test/consistency-check.ts'
import { failJobs, useServer } from '../test/harness.ts'
import { makeUser } from '../test/test-data.ts'
import { UsageError } from './command.ts'
import { integrityReport, runVerify } from '../test/run-verify.ts'

const server = useServer({ LOG_LEVEL: 'silent' })

const { processedPhoto, photoRowsOf, uploaded } = photoActions(() => server)
const query = async (text: string, values: unknown[] = []): Promise<void> =>
  void (await server.app.deps.pool.query(text, values))
const pathOf = (key: string): string => storedFilePath(server, key)
const flip = (key: string): Promise<void> => flipByte(pathOf(key))
const run = (...args: string[]) => runVerify(server, args)
async function findingsOf(...args: string[]): Promise<Record<string, number>> {
  const { findings } = await integrityReport(server, ...args)
  return Object.fromEntries(findings.map(({ kind, count }) => [kind, count]))
}

test.each([
  [['--sample']],
  [['--sample', 'x']],
  [['--all', '--sample', '3']],
  [['all']],
  [['--json', '--json']],
  [['--yes']],
])('verify %j is refused before anything is read', async (args) => {
  await expect(run(...args)).rejects.toThrow(UsageError)
})

test('nothing is wrong after photos were uploaded and processed, and every file has a checksum', async () => {
  const user = await makeUser(server)
  await processedPhoto(user)
  await uploaded(user)
  const lowerPriority = vi.fn<() => void>()
  const { text, exitStatus } = await runVerify(server, ['--all'], lowerPriority)
  // It lets the server go first.
  expect(lowerPriority).toHaveBeenCalledOnce()
  expect(text).toContain('Nothing is wrong')
  expect(text).toContain('ok     3 files read and compared with the checksum.')
  expect(text).not.toContain('no checksum')
  expect(exitStatus).toBe(0)
  await server.work()
})

test('exactly the files that are missing, corrupted or of another size are reported', async () => {
  const user = await makeUser(server)
  for (let at = 0; at < 3; at++) await processedPhoto(user)
  const [missing, flipped, cut] = await photoRowsOf(user)
  await rm(pathOf(missing.full_key))
  await flip(flipped.full_key)
  await truncate(pathOf(cut.thumb_key), 10)
  await truncate(pathOf(cut.full_key), 20)
  for (const { code } of [missing, cut]) {
    const answer = await server.request({ method: 'GET', url: `/d/${code}` })
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '30'])
  }
  const { text, exitStatus } = await run()
  expect(exitStatus).toBe(1)
  expect(text).toContain(`${missing.full_key} (full of photo ${missing.id})`)
  expect(text).toContain(`${flipped.full_key} (full, checksum mismatch)`)
  expect(text).toContain(`${cut.thumb_key} (thumbnail, 10 bytes instead of ${cut.thumb_bytes})`)
  expect(await findingsOf()).toEqual({ missing: 1, damaged: 3 })
  expect(await findingsOf('--sample', '0')).toEqual({ missing: 1, damaged: 2 })
  await query('delete from photos where user_id = $1', [user.id])
  await query('delete from usage_months where user_id = $1', [user.id])
  await query(
    "update stored_objects set created_at = now() - interval '2 days' where photo_id is null and user_id is null",
  )
  expect(await findingsOf()).toEqual({ expired: 5 })
  await forget(user.id)
})

/** Puts the account's photos, and what is left of them, out of the way of the next test. */
async function forget(userId: string): Promise<void> {
  await query('delete from photos where user_id = $1', [userId])
  await query(
    "update stored_objects set created_at = now() - interval '2 hours' where photo_id is null and user_id is null",
  )
  await query("select graphile_worker.add_job('clean-up', '{}'::json)")
  await server.work()
}

test('--repair regenerates thumbnails, registers, counts and queues, loses nothing, and may run twice', async () => {
  const user = await makeUser(server)
  for (let at = 0; at < 4; at++) await processedPhoto(user)
  const [lost, flipped, missing, unregistered] = await photoRowsOf(user)
  await flip(flipped.thumb_key)
  await rm(pathOf(missing.thumb_key))
  await rm(pathOf(lost.full_key))
  await query('delete from stored_objects where key = $1', [unregistered.full_key])
  await query('update usage_months set uploads = 1 where user_id = $1', [user.id])
  await query('update photo_counts set photos = 99 where user_id = $1', [user.id])
  const waiting = await uploaded(user)
  await failJobs(server.app.deps.pool)
  expect(await findingsOf('--all')).toEqual({
    missing: 2,
    damaged: 1,
    unregistered: 1,
    counts: 1,
    'photo-counts': 1,
    'jobs-failed': expect.any(Number),
  })
  const { text, exitStatus } = await run('--all', '--repair', '--yes')
  expect(text).toMatch(/repaired Regenerated 2 thumbnails/)
  expect(text).toMatch(/repaired Registered 1 file of photos/)
  expect(text).toMatch(/repaired Recounted the photos of 1 month/)
  expect(text).toMatch(/repaired Recounted the photos of 1 account/)
  expect(text).toMatch(new RegExp(`NOT REPAIRED {2}1 file cannot be regenerated .*${lost.full_key}`))
  expect(exitStatus).toBe(1)
  await server.work()
  const rows = await photoRowsOf(user)
  expect(rows.map(({ id, state }) => [id, state])).toContainEqual([waiting.id, 'ready'])
  expect(rows.find(({ id }) => id === lost.id)).toEqual(lost)
  const thumb = await server.app.deps.storage.sizeOf(rows.find(({ id }) => id === missing.id).thumb_key)
  expect(thumb).toBe(rows.find(({ id }) => id === missing.id).thumb_bytes)
  expect(await findingsOf('--all')).toEqual({ missing: 1 })
  expect((await run('--all', '--repair', '--yes')).text).not.toContain('repaired Regenerated')
  await forget(user.id)
})

test('--repair asks first, and removes only what no row names', async () => {
  const user = await makeUser(server)
  await processedPhoto(user)
  const [photo] = await photoRowsOf(user)
  const dayOld = new Date(Date.now() - 25 * 3_600_000)
  for (const key of [photo.full_key, photo.thumb_key]) await utimes(pathOf(key), dayOld, dayOld)
  // The files of this row are not in `stored_objects`: without the row they would be orphaned.
  await query('delete from stored_objects where photo_id = $1', [photo.id])
  const unknown = newStorageKey('full')
  await mkdir(dirname(pathOf(unknown)), { recursive: true })
  await writeFile(pathOf(unknown), 'left over')
  await utimes(pathOf(unknown), dayOld, dayOld)
  expect(await findingsOf()).toEqual({ untracked: 1, unregistered: 1 })
  expect((await run('--repair')).text).toContain('Nothing was repaired. Add --yes')
  expect(await server.app.deps.storage.sizeOf(unknown)).toBe(9)
  expect(await run('--repair', '--yes')).toMatchObject({ exitStatus: 0 })
  expect(await server.app.deps.storage.sizeOf(unknown)).toBeNull()
  expect(await server.app.deps.storage.sizeOf(photo.full_key)).toBe(photo.full_bytes)
  await forget(user.id)
})
