import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../test/harness.ts'
import { filePathIn } from './backup-folder.ts'
import { backupNames } from './manifest.ts'
import { backUpServer, emptyTarget, restoreInto, temporaryFolder } from './test/backup-fixtures.ts'
import { photoOf } from './test/deletions.ts'
import { check, folderContents, fullDisk, backupRefusal as refusalFrom } from './test/full-disks.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const refusalOf = (folder: string): Promise<string> => refusalFrom(server, folder)

test('a disk that is full for a table, a photo or the folder itself is named, earlier backups stay, and the next run goes on', async () => {
  const { id, user } = await photoOf(server)
  const dir = await temporaryFolder()
  const { manifest: first } = await backUpServer(server, dir)
  const before = folderContents(dir)
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
    expect(folderContents(dir)).toEqual(expect.arrayContaining(before))
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
