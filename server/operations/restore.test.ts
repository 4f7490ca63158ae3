import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { connect } from '../platform/db/connect.ts'
import { migrateSchemaTo } from '../platform/db/migrate.ts'
import { migrations } from '../platform/db/migrations/all.ts'
import { quadrantPixels, sharpFrom } from '../images/test/sample-images.ts'
import { createJobHandlers } from '../job-handlers.ts'
import { newId } from '../lib/ids.ts'
import { openStorageOfSettings } from '../open-ports.ts'
import { runOperatorCommand } from './operator-commands.ts'
import type { Storage } from '../ports/storage/storage.ts'
import { createLog } from '../platform/process/log.ts'
import { expectConsistent, runOverdueWork } from '../test/consistency-check.ts'
import { serverForThisTest, useServer } from '../test/harness.ts'
import { closedWhileHidden, copyDataFolder, loadDatabase } from '../test/old-data/load.ts'
import { type TestUser, upload } from '../test/test-data.ts'
import { backUp } from './back-up.ts'
import { markBackupFolder } from './backup-folder.ts'
import { chooseBackup } from './check-backup.ts'
import { backupNames, type Manifest, writeManifest } from './backup-manifest.ts'
import {
  backUpServer,
  configOf,
  databaseContents,
  deletedAfterBackup,
  deletePhoto,
  emptyTarget,
  eraseGuestOf,
  newTarget,
  photoOf,
  requestAs,
  restoreInto,
  silent,
  type Target,
  temporaryFolder,
} from '../test/backups.ts'

const fixture = join(import.meta.dirname, '../test/old-data/2026-11-21')
const expected = JSON.parse(readFileSync(join(fixture, 'expected.json'), 'utf8')) as {
  accounts: Record<string, { token: string }>
  links: Record<string, { url: string; status: number; sha256?: string }>
}

const server = useServer()

test('an empty data folder gets everything, with a database of its own, and a backup of that is the same', async () => {
  await photoOf(server)
  const [first, second, dataDir] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()]
  const { manifest } = await backUpServer(server, first)
  const config = configOf(dataDir)
  const lowerPriority = vi.fn<() => void>()
  const operate = (...[command = '', ...args]: string[]) =>
    runOperatorCommand(command, args, { config, log: createLog('silent'), lowerPriority })

  expect(await operate('restore', first)).toMatch(
    /^Restored the backup \w+: 2 files .*\nYou can now start the server\.$/,
  )
  expect(await operate('restore', first, '--check')).toMatch(/^The backup \w+ is complete: 2 files/)
  expect(lowerPriority).not.toHaveBeenCalled()
  expect(await operate('backup', second)).toMatch(/ 2 files .* 2 new .*\nIt does not contain SECRET_KEY/)
  expect(lowerPriority).toHaveBeenCalledOnce()

  const tablesOf = ({ tables }: Manifest) => tables.map(({ table, sha256 }) => ({ table, sha256 }))
  const again = await chooseBackup(second)
  expect(tablesOf(again)).toEqual(tablesOf(manifest))
  expect([again.files, again.fileBytes]).toEqual([manifest.files, manifest.fileBytes])
})

test('an installation with everything in it is the same after a backup and a restore: rows, jobs, files, links, sessions', async () => {
  const { database, drop } = await loadDatabase(fixture)
  onTestFinished(drop)
  const old = await serverForThisTest({ SECRET_KEY: '' }, { database, dir: await copyDataFolder(fixture) })
  const before = await databaseContents(database)
  const backups = await temporaryFolder()
  const { manifest, missing, damaged } = await backUpServer(old, backups)
  expect({ missing, damaged }).toEqual({ missing: [], damaged: [] })
  expect(manifest.files).toBeGreaterThan(20)

  const target = await emptyTarget()
  const restored = await restoreInto(target, backups, { env: { SECRET_KEY: '' } })
  expect(restored).toMatchObject({ files: manifest.files, bytes: manifest.fileBytes, missing: [], leftOut: 0 })
  expect(await databaseContents(target.database)).toEqual(before)

  const again = await serverForThisTest({ SECRET_KEY: '' }, target)
  for (const { token } of Object.values(expected.accounts)) {
    const [one, other] = await Promise.all(
      [old, again].map((each) => each.request({ method: 'GET', url: '/user/me', token })),
    )
    expect([other?.statusCode, other?.body]).toEqual([one?.statusCode, one?.body])
    if (one?.statusCode !== 200) continue
    // What changed since an answer from before cannot be known.
    const changes = async (server: typeof old, since = '') =>
      (await server.request({ method: 'GET', url: `/photos/changes${since}`, token })).json<{ next: string }>()
    const since = `?since=${(await changes(old)).next}`
    expect(await changes(old, since)).toMatchObject({ reset: false })
    expect(await changes(again, since)).toMatchObject({ photos: [], deleted: [], reset: true })
  }
  // Printed codes, files, and links of emails, which are signed with the secret key. Pages of the app are not built here.
  const links = Object.entries(expected.links).filter(([, { url }]) => !/\/(verify-email|reset-password)\?/.test(url))
  expect(links.length).toBeGreaterThan(50)
  for (const [what, link] of links) {
    const { url, status, sha256 } = closedWhileHidden.includes(what)
      ? { ...link, status: 404, sha256: undefined }
      : link
    const { statusCode, rawPayload } = await again.request({
      method: 'GET',
      url: url.replace('http://photos.test', ''),
    })
    const found = sha256 && createHash('sha256').update(rawPayload).digest('hex')
    expect({ what, statusCode, found }).toEqual({ what, statusCode: status, found: sha256 })
  }
  await again.work()
})

test('tables of another program do not hinder a restore, and keep their rows; one that cannot be read is refused', async () => {
  const [source, target, dir] = [await emptyTarget(), await emptyTarget(), await temporaryFolder()]
  const query = async (database: Target['database'], text: string) => {
    const client = new Client(database)
    await client.connect()
    return (await client.query<object>(text).finally(() => client.end())).rows
  }
  const storage = await openStorageOfSettings(configOf(source.dir))
  const backUpSource = (database: Target['database']) =>
    backUp({ dir, keep: 7, config: configOf(source.dir), database, storage, progress: silent })
  await query(source.database, 'create table guestbook (id serial primary key); insert into guestbook values (1)')
  await backUpSource(source.database)
  await query(
    target.database,
    `create table notes (id int primary key); create table notes_of (id int references notes);
     insert into notes values (7); insert into notes_of values (7)`,
  )
  await restoreInto(target, dir)
  expect(await query(target.database, 'select id from notes join notes_of using (id)')).toEqual([{ id: 7 }])

  const role = `reader_${newId().toLowerCase()}`
  await query(
    source.database,
    `create role ${role} login; grant select on all tables in schema public to ${role}; create table a_secret (id int)`,
  )
  onTestFinished(async () => void (await query(source.database, `drop owned by ${role}; drop role ${role}`)))
  await expect(backUpSource({ ...source.database, user: role })).rejects.toMatchObject({
    name: 'StartupError',
    message: expect.stringMatching(/^The user of DATABASE_URL may not read the table a_secret of /),
  })
})

test('a backup of an earlier version is migrated, and one of a later version is refused', async () => {
  const old = await newTarget()
  const opened = connect(old.database, createLog('silent'), 2)
  await migrateSchemaTo(
    opened.db,
    opened.pool,
    Object.keys(migrations).filter((name) => name <= '0033_backups'),
  )
  await opened.pool.query(
    `insert into users (id, email, email_key, username, password_hash) values ('one', 'a@b.test', 'a@b.test', 'a', 'x')`,
  )
  await opened.close()
  const [backups, config] = [await temporaryFolder(), configOf(old.dir)]
  const storage = await openStorageOfSettings(config)
  const { manifest } = await backUp({
    dir: backups,
    keep: 7,
    config,
    database: old.database,
    storage,
    progress: silent,
  })

  await expect(restoreInto(await emptyTarget(), backups)).rejects.toThrow(
    /used by a newer Keepsnap than the backup.*delete the folder "postgres"/,
  )
  // As when the folder has got newer backups since.
  const installation = 'f'.repeat(32)
  await markBackupFolder(backups, installation)
  const target = await newTarget()
  await restoreInto(target, backups)
  const { db, close } = connect(target.database, createLog('silent'), 2)
  const { rows } =
    await sql`select (select count(*) from kysely_migration) as migrations, users.id, installation.id as installation
    from users, installation`.execute(db)
  await close()
  expect(rows).toEqual([{ migrations: Object.keys(migrations).length, id: 'one', installation }])
  expect(await (await openStorageOfSettings(configOf(target.dir))).readInstallation()).toBe(installation)

  const later = { ...manifest, migrations: [...Object.keys(migrations), '9999_later'] }
  await writeManifest(join(backups, 'backups', manifest.name), later)
  await expect(restoreInto(await emptyTarget(), backups)).rejects.toThrow(
    /made by a newer Keepsnap \(its database has the migration 9999_later\)/,
  )
})

describe('an older backup, and what happened after it', () => {
  test('accounts and photos that were deleted since stay deleted, and their files are not stored; photos come back when asked for', async () => {
    const { backups, kept, deleted, gone } = await deletedAfterBackup(server)
    const first = (await backupNames(backups))[0] ?? ''
    const target = await emptyTarget()
    const restored = await restoreInto(target, backups, { from: first })
    expect(restored.erased).toEqual({ accounts: 1, photos: 1, guests: 1 })
    expect(restored.leftOut).toBe(4)
    const again = await serverForThisTest({}, target)
    const read = async ({ token }: TestUser, id: string): Promise<number> =>
      (await again.request({ method: 'GET', url: `/photos/${id}`, token })).statusCode
    expect([await read(kept.user, kept.id), await read(kept.user, deleted), await read(gone.user, gone.id)]).toEqual([
      200, 404, 401,
    ])
    const query = async (text: string) => (await again.app.deps.pool.query(text)).rows
    expect(await query("select kind from emails where kind = 'account-deleted'")).toEqual([])
    // What the guest asked for after the erasure is not in the older backup; what others asked for stays.
    expect(await query('select requester_email from photo_requests')).toEqual([{ requester_email: 'ben@guest.test' }])
    expect(await query('select finished_at, seconds from backup_state')).toEqual([{ finished_at: null, seconds: null }])
    await runOverdueWork(again)
    await expectConsistent(again)

    const asked = await restoreInto(await emptyTarget(), backups, { from: first, withDeletedPhotos: true })
    expect(asked).toMatchObject({ erased: { accounts: 1, photos: 0, guests: 1 }, leftOut: 2 })
  })

  test('what was deleted after the newest backup is known from the file in the data folder', async () => {
    const { id, user } = await photoOf(server)
    await requestAs(server, id, 'anna+party@guest.test')
    const backups = await temporaryFolder()
    await backUpServer(server, backups)
    await eraseGuestOf(server)
    await deletePhoto(server, user, id)
    const handlers = createJobHandlers(server.app.deps)
    await handlers['clean-up']({}, '1')
    await handlers['clean-up']({}, '1')
    const file = join(server.dir, 'erasures.tsv')
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^photo\t${id}\t\\S+Z$`, 'm'))
    expect(readFileSync(file, 'utf8')).toMatch(/^guest\t[\da-f]{64}\t\S+Z$/m)
    expect(readFileSync(file, 'utf8')).not.toContain('guest.test')
    const restored = await restoreInto(await emptyTarget(), backups, { erasuresFile: file })
    expect(restored.erased).toEqual({ accounts: 0, photos: 1, guests: 1 })
    await expect(restoreInto(await emptyTarget(), backups, { erasuresFile: '/nowhere' })).rejects.toThrow(
      'There is no file /nowhere',
    )
  })
})

describe('files that change while they are copied', () => {
  test('a photo that is processed meanwhile is restored as it was then, and one that is deleted stays deleted', async () => {
    const ready = await photoOf(server)
    const deleted = await photoOf(server, ready.user)
    const png = await sharpFrom(quadrantPixels(64, 48)).png().toBuffer()
    const queued = (await upload(server, ready.user, png)).json<Photo>().id
    const { storage, pool } = server.app.deps
    const { token } = ready.user
    const addEventOf = async (photo: string): Promise<string> => {
      const event = await server.request({ method: 'POST', url: '/user/events', token, body: { name: 'Summer party' } })
      const { id } = event.json<{ id: string }>()
      await pool.query('update photos set event_id = $2 where id = $1', [photo, id])
      return id
    }
    const event = await addEventOf(ready.id)
    const grants = `/user/events/${event}/grants`
    const given = { email: 'couple@photos.test' }
    expect((await server.request({ method: 'POST', url: grants, token, body: given })).statusCode).toBe(201)
    const eventBefore = (await server.request({ method: 'GET', url: `/user/events/${event}`, token })).json<object>()
    let changes: Promise<void> | undefined
    const change = async (): Promise<void> => {
      await deletePhoto(server, ready.user, deleted.id)
      // Its event is newer than the backup of events.
      await addEventOf(queued)
      await server.work()
    }
    const changing: Storage = {
      ...storage,
      async open(key) {
        await (changes ??= change())
        return storage.open(key)
      },
    }
    const backups = await temporaryFolder()
    const { missing, deletedMeanwhile, manifest } = await backUpServer(server, backups, { storage: changing })
    expect(missing).toEqual([])
    expect(deletedMeanwhile).toBe(3)
    expect(manifest.changed.photoIds.toSorted()).toEqual([deleted.id, queued].toSorted())

    const target = await emptyTarget()
    const restored = await restoreInto(target, backups)
    expect(restored.missing).toEqual([])
    const again = await serverForThisTest({}, target)
    await runOverdueWork(again)
    const read = async (id: string) => again.request({ method: 'GET', url: `/photos/${id}`, token: ready.user.token })
    expect((await read(queued)).json<Photo>()).toMatchObject({ processing_complete: true, event_id: null })
    expect((await read(ready.id)).json<Photo>()).toMatchObject({ processing_complete: true, event_id: event })
    const restoredEvent = await again.request({ method: 'GET', url: `/user/events/${event}`, token })
    expect(restoredEvent.json()).toEqual(eventBefore)
    // One that was revoked since would work again.
    expect((await again.request({ method: 'GET', url: grants, token })).json()).toEqual({ grants: [] })
    expect((await read(deleted.id)).statusCode).toBe(404)
    await expectConsistent(again)
  })

  test('a file that the store has lost is reported, and the rest is backed up and restored', async () => {
    const { id } = await photoOf(server)
    const { rows } = await server.app.deps.pool.query('select full_key from photos where id = $1', [id])
    const lost = String(rows[0]?.full_key)
    await server.app.deps.storage.remove([lost])
    const backups = await temporaryFolder()
    const finished = await backUpServer(server, backups)
    expect(finished).toMatchObject({ missing: [lost], deletedMeanwhile: 0, manifest: { missing: 1 } })
    const { files } = finished.manifest
    expect(await restoreInto(await emptyTarget(), backups)).toMatchObject({ missing: [lost], files })
  })
})
