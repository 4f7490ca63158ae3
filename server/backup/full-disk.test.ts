import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { jpeg } from '../images/test/sample-images.ts'
import { startServer, type TestServer } from '../test/harness.ts'
import { isRecord, report } from '../test/statistics.ts'
import { upload } from '../test/test-data.ts'
import { filePathIn } from './backup-folder.ts'
import { checkBackup, chooseBackup } from './check-backup.ts'
import { backupNames } from './manifest.ts'
import { backUpServer, emptyTarget, restoreInto, silent, temporaryFolder } from './test/backup-scene.ts'
import { photoOf } from './test/deletions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const refusalOf = async (dir: string): Promise<string> =>
  backUpServer(server, dir).then(
    () => 'accepted',
    (error: Error) => error.message,
  )
const fullDisk = (dir: string): string =>
  `The folder ${dir} cannot be used (ENOSPC). Its disk is full, so this backup is not finished. Earlier ones in it are complete, and files that were copied stay. Make room there, then run it again: it goes on.`
const contentsOf = (folder: string): [string, string][] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !basename(path).startsWith('holder.json'))
    .map((path) => [path, readFileSync(path, 'base64')])
/** What is damaged rejects. */
const check = async (dir: string, name?: string): Promise<unknown> =>
  checkBackup(dir, await chooseBackup(dir, name), { progress: silent })

test('a disk that is full for a table, a photo or the folder itself is named, earlier backups stay, and the next run goes on', async () => {
  const { id, user } = await photoOf(server)
  const dir = await temporaryFolder()
  const { manifest: first } = await backUpServer(server, dir)
  const before = contentsOf(dir)
  const later = await photoOf(server, user)
  const { rows } = await server.app.deps.pool.query<{ key: string }>(
    'select full_key as key from photos where id = $1',
    [later.id],
  )
  const photo = filePathIn(dir, rows[0]!.key)
  mkdirSync(dirname(photo), { recursive: true })
  // What is written there is refused by the system as on a full disk.
  for (const path of [
    join(dir, `holder.json.${process.pid}`),
    join(dir, 'keepsnap-backups.json.part'),
    `${photo}.part`,
  ]) {
    symlinkSync('/dev/full', path)
    expect(await refusalOf(dir)).toBe(fullDisk(dir))
    expect(contentsOf(dir)).toEqual(expect.arrayContaining(before))
    rmSync(path, { force: true })
    await check(dir, first.name)
  }
  const unfinished = (await backupNames(dir)).filter((name) => name !== first.name)
  expect(unfinished).toHaveLength(1)
  const left = join(dir, 'backups', unfinished[0]!)
  expect(readdirSync(left)).toEqual(['file-list.txt'])
  // After a kill the tables are there, too, and would take the room that is missing.
  writeFileSync(join(left, 'photos.tsv'), 'half')
  symlinkSync('/dev/full', `${photo}.part`)
  expect(await refusalOf(dir)).toBe(fullDisk(dir))
  expect(readdirSync(left)).toEqual(['file-list.txt'])
  rmSync(`${photo}.part`)
  const { manifest, kept } = await backUpServer(server, dir)
  expect([kept, manifest.files, await backupNames(dir)]).toEqual([2, first.files + 2, [first.name, manifest.name]])
  const restored = await restoreInto(await emptyTarget(), dir)
  expect([restored.files, restored.missing, id === later.id]).toEqual([manifest.files, [], false])
})

test('a new folder on a disk that is full already can be used when there is room', async () => {
  const dir = await temporaryFolder()
  symlinkSync('/dev/full', join(dir, `holder.json.${process.pid}`))
  expect(await refusalOf(dir)).toBe(fullDisk(dir))
  expect(readdirSync(dir)).toEqual([])
  writeFileSync(join(dir, 'holder.json.99'), '')
  expect(await refusalOf(dir)).toBe('accepted')
})

const describeAsRoot = isRecord && process.geteuid?.() === 0 ? describe : () => {}
describeAsRoot('a file system of 2 MB', () => {
  let dir: string
  beforeEach(async () => {
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

  test('that fills at any point of a backup loses no earlier one, and the next run goes on', async () => {
    const { user } = await photoOf(server)
    const { manifest: first } = await backUpServer(server, dir)
    const before = contentsOf(dir)
    await upload(server, user, await jpeg({ width: 900, height: 700, quality: 95 }))
    await server.work()
    const { bavail, bsize } = statfsSync(dirname(dir))
    let refused = 0
    for (let left = 0; left < bavail * bsize; left += 16_384) {
      fillUp(left)
      const refusal = await refusalOf(dir)
      expect([fullDisk(dir), 'accepted']).toContain(refusal)
      expect(contentsOf(dir)).toEqual(expect.arrayContaining(before))
      await check(dir, first.name)
      rmSync(ballast())
      if (refusal === 'accepted') break
      refused += 1
    }
    report(`backups onto a disk that is full: ${refused} of ${refused + 1} refused, none lost`)
    expect(refused).toBeGreaterThan(5)
    expect(await backupNames(dir)).toHaveLength(2)
    await check(dir)
    const restored = await restoreInto(await emptyTarget(), dir)
    expect(restored.missing).toEqual([])
  })

  test('that a table does not fit into is said at once, although the database has not sent all of it', async () => {
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
})
