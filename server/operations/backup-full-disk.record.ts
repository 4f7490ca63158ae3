import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { jpeg } from '../images/test/sample-images.ts'
import { useServer } from '../test/harness.ts'
import { logWithSeed } from '../test/statistics.ts'
import { upload } from '../test/test-data.ts'
import { backupNames } from './backup-manifest.ts'
import {
  backupRefusal as refusalFrom,
  backUpServer,
  check,
  emptyTarget,
  folderContents,
  fullDisk,
  photoOf,
  restoreInto,
  temporaryFolder,
} from '../test/backups.ts'

const server = useServer()
const refusalOf = (folder: string): Promise<string> => refusalFrom(server, folder)

/** On a file system of 2 MB. */
let dir: string
beforeEach(async ({ skip }) => {
  skip(process.geteuid?.() !== 0, 'needs root, to mount a small disk')
  const mounted = await temporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', mounted])
  onTestFinished(() => void execFileSync('umount', ['-l', mounted]))
  dir = join(mounted, 'backups')
})
const ballast = (): string => join(dir, '../ballast')
const fillUp = (leftBytes: number): void => {
  const { bavail, bsize } = statfsSync(dirname(dir))
  writeFileSync(ballast(), Buffer.alloc(Math.max(0, bavail * bsize - leftBytes), 1))
}

test('a disk of 2 MB that fills at any point of a backup loses no earlier one, and the next run goes on', async () => {
  const { user } = await photoOf(server)
  const { manifest: first } = await backUpServer(server, dir)
  const before = folderContents(dir)
  await upload(server, user, await jpeg({ width: 900, height: 700, quality: 95 }))
  await server.work()
  const { bavail, bsize } = statfsSync(dirname(dir))
  let refused = 0
  for (let left = 0; left < bavail * bsize; left += 16_384) {
    fillUp(left)
    const refusal = await refusalOf(dir)
    expect([fullDisk(dir), 'accepted']).toContain(refusal)
    expect(folderContents(dir)).toEqual(expect.arrayContaining(before))
    await check(dir, first.name)
    rmSync(ballast())
    if (refusal === 'accepted') break
    refused += 1
  }
  logWithSeed(`backups onto a disk that is full: ${refused} of ${refused + 1} refused, none lost`)
  expect(refused).toBeGreaterThan(5)
  expect(await backupNames(dir)).toHaveLength(2)
  await check(dir)
  const restored = await restoreInto(await emptyTarget(), dir)
  expect(restored.missing).toEqual([])
})

test('a disk of 2 MB that a table does not fit into is said at once, although the database has not sent all of it', async () => {
  const { manifest: first } = await backUpServer(server, dir)
  await server.app.deps.pool.query(
    'create table public.ballast as select repeat(md5(n::text), 1000) as text from generate_series(1, 2000) as n',
  )
  const startedAt = performance.now()
  expect(await refusalOf(dir)).toBe(fullDisk(dir))
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  // Nothing goes on in the database, either.
  const copying = `select from pg_stat_activity where datname = current_database() and query like 'copy%' and state = 'active'`
  await expect.poll(async () => (await server.app.deps.pool.query(copying)).rowCount).toBe(0)
  await server.app.deps.pool.query('drop table public.ballast')
  await check(dir, first.name)
  expect(await refusalOf(dir)).toBe('accepted')
  await check(dir)
})
