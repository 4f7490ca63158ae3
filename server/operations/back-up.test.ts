import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { connect } from '../platform/db/connect.ts'
import { openStorageOfSettings } from '../open-ports.ts'
import { runOperatorCommand } from './operator-commands.ts'
import { flipByte } from '../test/consistency-check.ts'
import { type Storage, StorageDown } from '../ports/storage/storage.ts'
import { createLog } from '../platform/process/log.ts'
import { useServer } from '../test/harness.ts'
import { urlOf } from '../test/server-process.ts'
import { filePathIn, markBackupFolder, openBackupFolder } from './backup-folder.ts'
import { chooseBackup } from './check-backup.ts'
import { backUp, type BackupOptions, pruneBackups } from './back-up.ts'
import { backupNames, isMuchSmaller, judgeBackups, newBackupName, writeManifest } from './backup-manifest.ts'
import {
  backupRefusal,
  backUpServer,
  check,
  configOf,
  emptyTarget,
  folderContents,
  fullDisk,
  photoOf,
  restoreInto,
  silent,
  type Target,
  temporaryFolder,
} from '../test/backups.ts'
import { withCheckedBackup } from './restore.ts'

const server = useServer()
beforeAll(async () => {
  await photoOf(server)
})

const filesBelow = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

/** The store, counting what is read from it. */
function countingStorage(failAfter = Infinity) {
  const { storage } = server.app.deps
  const read: string[] = []
  return {
    read,
    storage: {
      ...storage,
      open: async (key: string) => {
        if (read.length >= failAfter) throw new StorageDown('the store is down')
        read.push(key)
        return storage.open(key)
      },
    },
  }
}

describe('a second backup', () => {
  test('has a later name, also within a second, or after the clock was set back', () => {
    const [first, second] = ['20270131T120000Z', '20270131T120000Z-0001']
    const names = (time: string, ...existing: string[]) => newBackupName(existing, new Date(time))
    expect(names('2027-01-31T12:00:00Z')).toBe(first)
    expect(names('2027-01-31T12:00:00Z', first)).toBe(second)
    expect(names('2027-01-31T11:00:00Z', first, second)).toBe('20270131T120000Z-0002')
    expect(names('2027-01-31T12:00:01Z', first, second)).toBe('20270131T120001Z')
  })

  test('reads no file again, keeps as many backups as it is told, and removes files that no kept one names', async () => {
    const photo = await photoOf(server)
    const dir = await temporaryFolder()
    const first = await backUpServer(server, dir)
    expect(first.newFiles).toBe(first.manifest.files)
    const counting = countingStorage()
    const second = await backUpServer(server, dir, { storage: counting.storage, keep: 2 })
    expect([counting.read, second.newFiles, second.manifest.files]).toEqual([[], 0, first.manifest.files])
    await server.request({ method: 'DELETE', url: `/photos/${photo.id}`, token: photo.user.token })
    await server.work()
    const third = await backUpServer(server, dir, { keep: 2 })
    const both = [second.manifest.name, third.manifest.name]
    expect(await backupNames(dir)).toEqual(both)
    expect(third).toMatchObject({ kept: 2, removedBackups: 1, manifest: { files: first.manifest.files - 2 } })
    expect(filesBelow(join(dir, 'files'))).toHaveLength(first.manifest.files)
    await expect(pruneBackups(dir, 1, AbortSignal.abort(new Error('the folder was lost')))).rejects.toThrow('lost')
    expect(await backupNames(dir)).toEqual(both)
    await pruneBackups(dir, 1, new AbortController().signal)
    expect(filesBelow(join(dir, 'files'))).toHaveLength(third.manifest.files)
  })

  test('goes on with the files of one that was interrupted, and removes what that left', async () => {
    const other = await photoOf(server)
    const dir = await temporaryFolder()
    const broken = countingStorage(2)
    await expect(backUpServer(server, dir, { storage: broken.storage })).rejects.toThrow('the store is down')
    // As after a kill in the middle of a list and of a file.
    const [unfinished = ''] = await backupNames(dir)
    writeFileSync(`${filesBelow(join(dir, 'files'))[0]}.part`, 'half')
    appendFileSync(join(dir, 'backups', unfinished, 'file-list.txt'), 'full/half')
    const finished = await backUpServer(server, dir)
    expect(finished.missing).toEqual([])
    expect(await backupNames(dir)).toEqual([finished.manifest.name])
    expect(filesBelow(dir).filter((path) => path.endsWith('.part'))).toEqual([])
    const target = await emptyTarget()
    expect((await restoreInto(target, dir)).files).toBe(finished.manifest.files)
    expect(other.id).toBeTruthy()
  })
})

test('once a week the newest backup is read: a flipped byte is named and counted, until it is repaired', async () => {
  const { dir: dataDir, database, app } = server
  const dir = await temporaryFolder()
  const config = configOf(dataDir, { DATABASE_URL: urlOf(database) })
  const backup = () => runOperatorCommand('backup', [dir], { config, log: createLog('silent') })
  const state = async () => {
    const { rows } = await app.deps.pool.query(
      `select checked_at > now() - interval '1 minute' as "isNew", damaged from backup_state`,
    )
    return rows[0]
  }
  const text = await backup()
  const [file] = filesBelow(join(dir, 'files'))
  await flipByte(file!)
  expect(text).not.toContain('Read back')
  await app.deps.pool.query(`update backup_state set checked_at = now() - interval '7 days'`)
  await expect(backup()).rejects.toMatchObject({
    name: 'StartupError',
    message: expect.stringMatching(
      /^Backup .*\nFiles of the backup .* are not as they were written:\n.*has changed since it was written\n.*remove them here/s,
    ),
  })
  expect(await state()).toEqual({ isNew: true, damaged: 1 })
  rmSync(file!)
  expect(await backup()).toMatch(/\nRead back, as every week: all checksums match\.$/)
  expect(await state()).toEqual({ isNew: true, damaged: 0 })
})

test('a folder that cannot be synced gets its backup, with a warning; one that refuses otherwise is told in a sentence', async () => {
  const { dir: dataDir, database } = server
  const dir = await temporaryFolder()
  const config = configOf(dataDir, { DATABASE_URL: urlOf(database) })
  const backup = () => runOperatorCommand('backup', [dir], { config, log: createLog('silent') })
  const file = await open(dir)
  await file.close()
  const sync = vi.spyOn(Object.getPrototypeOf(file) as FileHandle, 'sync')
  onTestFinished(() => sync.mockRestore())
  const refuse = (code: string) =>
    sync.mockRejectedValue(Object.assign(new Error(`${code}: fsync`), { code, syscall: 'fsync' }))
  refuse('EREMOTEIO')
  await expect(backup()).rejects.toMatchObject({
    name: 'StartupError',
    message: expect.stringMatching(/^The folder .* cannot be used \(EREMOTEIO\)\. Its file system refuses fsync/),
  })
  refuse('EINVAL')
  expect(await backup()).toMatch(/\nWARNING: the file system of .* cannot confirm what is on its disk \(EINVAL\)/)
  sync.mockRestore()
  expect(
    await withCheckedBackup({ dir, from: undefined, progress: silent }, async ({ damagedKeys }) => damagedKeys.size),
  ).toBe(0)
})

test('the time of the last backup is recorded in the database; a backup is valid even if that fails', async () => {
  const { pool } = server.app.deps
  const dir = await temporaryFolder()
  await pool.query('alter table backup_state rename to backup_state_gone')
  expect(await backUpServer(server, dir)).toMatchObject({ isRecorded: false, kept: 1 })
  await pool.query(
    `alter table backup_state_gone rename to backup_state; update backup_state set finished_at = null, seconds = null`,
  )
  const startedAtMs = performance.now()
  const { rows: clock } = await pool.query('select now() as started_at')
  expect(await backUpServer(server, dir)).toMatchObject({ isRecorded: true, kept: 2 })
  const { rows } = await pool.query('select finished_at >= $1 as is_new, seconds from backup_state', [
    clock[0].started_at,
  ])
  expect(rows).toEqual([{ is_new: true, seconds: expect.any(Number) }])
  expect(rows[0].seconds).toBeGreaterThan(0)
  expect(rows[0].seconds).toBeLessThan((performance.now() - startedAtMs) / 1000)
})

test('only the owner can read a backup, which has no secret key of the settings, but one that the program made', async () => {
  const dir = join(await temporaryFolder(), 'new/folder')
  const { manifest } = await backUpServer(server, dir)
  const modes = (entries: string[]): number[] => [...new Set(entries.map((path) => statSync(path).mode & 0o777))]
  expect(modes(filesBelow(dir))).toEqual([0o600])
  const folders = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(modes(folders.map(({ parentPath, name }) => join(parentPath, name)))).toEqual([0o700])
  expect(manifest.secretKey.file).toBeNull()
  expect(filesBelow(dir).some((path) => readFileSync(path).includes('a secret of the tests'))).toBe(false)
  const config = { ...server.app.deps.config, secretKey: undefined }
  const own = await backUpServer(server, await temporaryFolder(), { config })
  expect(own.manifest.secretKey.file?.file).toBe('secret-key')
  const elsewhere = { DATABASE_URL: urlOf(server.database), SECRET_KEY: 'another secret of the tests, long enough' }
  const otherSettings = { config: configOf(dir, elsewhere), log: createLog('silent') }
  await expect(runOperatorCommand('backup', [dir], otherSettings)).rejects.toThrow(
    /secret key is not the one that this database is used with.*same settings as the server/,
  )
})

test('a backup that loses its folder to another program stops, also while it waits for the database', async () => {
  const dir = await temporaryFolder()
  const silentDatabase = createServer(() => {}).listen(0, '127.0.0.1')
  onTestFinished(() => void silentDatabase.close())
  await once(silentDatabase, 'listening')
  const { port } = silentDatabase.address() as AddressInfo // of a TCP server
  const running = backUpServer(server, dir, { database: { host: '127.0.0.1', port, user: 'nobody' } })
  const lockFile = join(dir, 'holder.json')
  const other = { token: 'of another', pid: 1, host: 'elsewhere', since: new Date().toISOString(), realm: 'elsewhere' }
  const outcome = running.then(
    () => 'finished',
    (error: Error) => error.message,
  )
  await expect.poll(() => existsSync(lockFile)).toBe(true)
  writeFileSync(lockFile, JSON.stringify(other))
  expect(await outcome).toMatch(/Another backup is being made in .* on elsewhere/)
})

/** Why a backup into a folder is refused, or `accepted`. */
const refusalOf = (dir: string): Promise<string> => backupRefusal(server, dir)

describe('a folder that cannot be used for backups is refused with what to do', () => {
  test('one with other things in it, inside the data folder, that the system does not create, a file, or of a later version', async () => {
    const dir = await temporaryFolder()
    writeFileSync(join(dir, 'thesis.txt'), '')
    expect(await refusalOf(dir)).toMatch(/has other things in it, such as thesis.txt.*Choose an empty folder/)
    expect(await refusalOf(join(dir, 'thesis.txt'))).toMatch(
      /cannot be used \((EEXIST|ENOTDIR)\).*not a folder.*choose another folder/,
    )
    expect(await refusalOf(join(server.dir, 'backups'))).toMatch(/inside the data folder.*Choose a folder elsewhere/)
    expect(readdirSync(server.dir)).not.toContain('backups')
    expect(await refusalOf('/proc/backups')).toMatch(/cannot be used \(ENOENT\)/)
    const later = await temporaryFolder()
    writeFileSync(join(later, 'keepsnap-backups.json'), '{"program":"Keepsnap","format":2}')
    expect(await refusalOf(later)).toMatch(/made by a newer Keepsnap/)
  })

  test('one in which another backup is being made', async () => {
    const dir = await temporaryFolder()
    const { lock } = await openBackupFolder(dir, server.dir)
    expect(await refusalOf(dir)).toMatch(/Another backup is being made in .* \(process \d+.*Wait for it/)
    await expect(withCheckedBackup({ dir, from: undefined, progress: silent }, async () => 1)).rejects.toThrow(
      'A backup is being made',
    )
    await lock.release()
  })
})

/** An installation with so many accounts, that nobody has started, and how it backs up. */
async function installationWith(accounts: number) {
  const { database, dir: dataDir } = await emptyTarget()
  const { pool, close } = connect(database, createLog('silent'), 1)
  onTestFinished(close)
  // All clones of the template have its id.
  const { rows } = await pool.query<{ id: string }>(
    `update installation set id = replace(gen_random_uuid()::text, '-', '') returning id`,
  )
  const id = rows[0]!.id
  const addAccounts = (from: number, to: number) =>
    pool.query(
      `insert into users (id, email, email_key, username, password_hash)
       select $1 || n, $1 || n || '@b.test', $1 || n || '@b.test', $1 || n, 'x' from generate_series($2::int, $3::int) n`,
      [id, from, to],
    )
  await addAccounts(1, accounts)
  const config = configOf(dataDir, { DATABASE_URL: urlOf(database) })
  const storage = await openStorageOfSettings(config)
  return {
    id,
    pool,
    addAccounts,
    backUp: (dir: string, options: Partial<BackupOptions> = {}) =>
      backUp({ dir, keep: 1, config, database, storage, progress: silent, ...options }),
    refusal: (...words: string[]): Promise<string> =>
      runOperatorCommand('backup', words, { config, log: createLog('silent') }).then(
        () => 'accepted',
        (error: Error) => error.message,
      ),
  }
}

describe('a new, empty installation in place of one whose disk was lost, with its settings,', () => {
  test('is refused the folder of the lost one; adopted, its backups remove none, are no good ones, and a restore takes the last good one', async () => {
    const dir = await temporaryFolder()
    const [lost, fresh] = [await installationWith(12), await installationWith(0)]
    const { name: good } = (await lost.backUp(dir)).manifest
    await expect(fresh.backUp(dir)).rejects.toThrow(
      new RegExp(`of another Keepsnap.* The newest is ${good} of .* UTC, with 12 accounts and 0 photos\\..*--adopt$`),
    )
    expect(await backupNames(dir)).toEqual([good])

    expect(await fresh.refusal(dir, '--adopt', '--keep', '1')).toMatch(
      new RegExp(
        `^Backup .* 2 backups in this folder\\.\n.*\nIt has 0 accounts and 0 photos: fewer than half of the accounts or photos of ${good} of .* backup ${dir} --accept-smaller$`,
      ),
    )
    const { rows } = await fresh.pool.query('select finished_at from backup_state')
    expect(rows).toEqual([{ finished_at: null }])
    const small = (await backupNames(dir)).at(-1)

    const announced: string[] = []
    await restoreInto(await emptyTarget(), dir, { announce: (text) => announced.push(text) })
    expect(announced.join('\n')).toMatch(
      new RegExp(
        `^Restores the backup ${good} of \\S+ \\S+ UTC, with 12 accounts and 0 photos, and 0 files\\.\nThere is a newer one, ${small} of .* with 0 accounts and 0 photos.*\nIt replaces a database with 0 accounts and 0 photos\\.$`,
      ),
    )
    // The folder belongs to what was restored from it.
    await expect(fresh.backUp(dir)).rejects.toThrow('of another Keepsnap')
    expect(await lost.backUp(dir)).toMatchObject({ smallerThan: undefined, removedBackups: 2, kept: 1 })
  })

  test('has made backups into a folder of an earlier version, without an id: the good ones are found, and only their installation goes on in it', async () => {
    const dir = await temporaryFolder()
    const [lost, fresh, stranger] = [await installationWith(12), await installationWith(0), await installationWith(1)]
    const { name: good } = (await lost.backUp(dir)).manifest
    await fresh.backUp(dir, { adopt: true })
    const withoutAccounts = await temporaryFolder()
    await fresh.backUp(withoutAccounts)
    for (const folder of [dir, withoutAccounts]) {
      await markBackupFolder(folder, undefined)
      for (const { name, manifest } of await judgeBackups(folder)) {
        const { installation: _, muchSmallerThan: __, ...withoutId } = manifest!
        await writeManifest(join(folder, 'backups', name), withoutId)
      }
    }
    expect((await chooseBackup(dir)).name).toBe(good)
    await expect(stranger.backUp(dir)).rejects.toThrow('of another Keepsnap')
    expect(await stranger.backUp(withoutAccounts)).toMatchObject({ kept: 1 })
    expect(await lost.backUp(dir, { keep: 2 })).toMatchObject({ smallerThan: undefined, kept: 3 })
    expect(JSON.parse(readFileSync(join(dir, 'keepsnap-backups.json'), 'utf8'))).toMatchObject({
      installation: lost.id,
    })
  })
})

test('a backup with fewer than half of the accounts or photos of the last good one removes none, until that is accepted', async () => {
  const dir = await temporaryFolder()
  const installation = await installationWith(12)
  const { manifest: first } = await installation.backUp(dir)
  await installation.pool.query('delete from users where id not in (select id from users limit 5)')
  for (const kept of [2, 3])
    expect(await installation.backUp(dir)).toMatchObject({ smallerThan: { name: first.name }, kept })
  // Later ones count again, and take the place of older good ones only.
  await installation.addAccounts(20, 30)
  expect(await installation.backUp(dir, { keep: 2 })).toMatchObject({ smallerThan: undefined, kept: 4 })
  await installation.pool.query('delete from users')
  expect(await installation.backUp(dir, { acceptSmaller: true })).toMatchObject({ smallerThan: undefined, kept: 1 })
})

test('a backup with a damaged manifest does not take the place of a good one', async () => {
  const dir = await temporaryFolder()
  const installation = await installationWith(1)
  const { name: good } = (await installation.backUp(dir)).manifest
  const { name: damaged } = (await installation.backUp(dir, { keep: 2 })).manifest
  writeFileSync(join(dir, 'backups', damaged, 'manifest.json'), 'x')
  const { manifest, ...third } = await installation.backUp(dir, { keep: 2 })
  expect(third).toMatchObject({ removedBackups: 0, kept: 3 })
  expect(await backupNames(dir)).toEqual([good, damaged, manifest.name])
  const last = await installation.backUp(dir, { keep: 2 })
  expect(await backupNames(dir)).toEqual([manifest.name, last.manifest.name])
})

test('fewer than ten accounts or photos are not missed', () => {
  const isMissed = (before: number, now: number): boolean[] => [
    isMuchSmaller({ accounts: now, photos: 1 }, { accounts: before, photos: 1 }),
    isMuchSmaller({ accounts: 1, photos: now }, { accounts: 1, photos: before }),
  ]
  expect([isMissed(9, 0), isMissed(10, 5), isMissed(10, 4), isMissed(11, 5)]).toEqual([
    [false, false],
    [false, false],
    [true, true],
    [true, true],
  ])
})

describe('a restore is refused, and nothing is changed,', () => {
  let backups: string
  let name: string
  beforeAll(async () => {
    backups = `${server.dir}-backups`
    name = (await backUpServer(server, backups)).manifest.name
  })
  afterAll(() => rm(backups, { recursive: true, force: true }))

  const refusalInto = async (target: Target, options: Parameters<typeof restoreInto>[2] = {}): Promise<string> =>
    restoreInto(target, backups, options).then(
      () => 'accepted',
      (error: Error) => error.message,
    )

  test('while a server uses the database', async () => {
    expect(await refusalInto({ database: server.database, dir: await temporaryFolder() })).toMatch(
      /Something else is connected to the database.*Stop every Keepsnap/,
    )
  })

  test('when the database has accounts', async () => {
    const target = await emptyTarget()
    const { pool } = connect(target.database, createLog('silent'), 1)
    await pool.query(
      `insert into users (id, email, email_key, username, password_hash) values ('one', 'a@b.test', 'a@b.test', 'a', 'x')`,
    )
    await pool.end()
    expect(await refusalInto(target)).toMatch(
      /The database is in use: the table users has rows. It has 1 account and 0 photos, the newest of \S+ \S+ UTC. The backup is .* with \d+ accounts? and \d+ photos?\..*new DATA_DIR/,
    )
  })

  test('when the database has tables of another program', async () => {
    const target = await emptyTarget()
    const { pool } = connect(target.database, createLog('silent'), 1)
    await pool.query('drop schema public cascade; create schema public; create table orders (); create table goods ()')
    await pool.end()
    expect(await refusalInto(target)).toMatch(/The database has 2 tables of another program\..*new DATA_DIR/)
  })

  test('when the store has files or another secret key is set, unless the operator accepts that', async () => {
    const target = await emptyTarget()
    mkdirSync(join(target.dir, 'files/full/aB'), { recursive: true })
    writeFileSync(join(target.dir, 'files/full/aB/aB34567890123456789012'), 'x')
    expect(await refusalInto(target)).toMatch(/folder "files" in DATA_DIR is not empty.*--keep-files/)
    writeFileSync(join(target.dir, 'files/keepsnap-installation.json'), '{"installation":"of another"}')
    expect(await refusalInto(target, { keepFiles: true })).toMatch(/files .*--keep-files.* are of another Keepsnap/)
    rmSync(join(target.dir, 'files/keepsnap-installation.json'))
    const env = { SECRET_KEY: 'another secret of the tests, long enough' }
    expect(await refusalInto(target, { keepFiles: true, env })).toMatch(
      /SECRET_KEY is not the key with which this backup was made.*--other-key/,
    )
    expect(await refusalInto(target, { keepFiles: true, env: { SECRET_KEY: '' } })).toMatch(
      /Set SECRET_KEY to the same key.*--other-key/,
    )
    expect(await refusalInto(target, { keepFiles: true, env, otherKey: true })).toBe('accepted')
  })

  test('when a photo, a table, a list or the manifest of the backup is missing or damaged, unless it may leave out photos', async () => {
    const target = await emptyTarget()
    const { rows } = await server.app.deps.pool.query('select full_key from photos where full_key is not null limit 1')
    const photoKey = String(rows[0]?.full_key)
    const photo = join(backups, 'files', photoKey.replace(/\/(..)/, '/$1/$1'))
    const folder = join(backups, 'backups', name)
    const damage = (path: string, bytes: Buffer): void =>
      writeFileSync(
        path,
        bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte)),
      )
    for (const path of [photo, join(folder, 'photos.tsv'), join(folder, 'file-list.txt'), join(folder, 'jobs.txt')]) {
      const bytes = readFileSync(path)
      if (bytes.length === 0) continue
      for (const [harm, message] of [
        [(path: string) => rmSync(path), 'is missing'],
        [damage, 'has changed since it was written'],
      ] as const) {
        harm(path, bytes)
        const refusal = await refusalInto(target)
        expect(refusal).toContain(`The backup ${name} is damaged. Nothing was restored.\n${path} ${message}\n`)
        expect(refusal).toMatch(path === photo ? /--leave-out-damaged/ : /There is no other backup in this folder\.$/)
        writeFileSync(path, bytes)
      }
    }
    expect(readdirSync(target.dir)).toEqual([])
    damage(photo, readFileSync(photo))
    const restored = await restoreInto(target, backups, { leaveOutDamaged: true })
    expect(restored).toMatchObject({ damaged: [photoKey], files: restored.manifest.files - 1, missing: [] })
    // As the operator is told: the store still has the photo.
    await rm(photo)
    await backUpServer(server, backups, { keep: 1 })
    await expect(withCheckedBackup({ dir: backups, from: undefined, progress: silent }, async () => 1)).resolves.toBe(1)
    name = (await backupNames(backups))[0] ?? ''
  })

  test('when the manifest is damaged, when there is no such backup, and when there is none', async () => {
    const target = await emptyTarget()
    const path = join(backups, 'backups', name, 'manifest.json')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('"rows": 1', '"rows": 2'))
    expect(await refusalInto(target)).toMatch(
      /^The backup is damaged: .*manifest\.json is not as it was written\. There is no other backup in this folder\.$/,
    )
    writeFileSync(path, text)
    expect(await refusalInto(target, { from: '20200101T000000Z' })).toBe(
      `There is no finished backup 20200101T000000Z in ${backups}. There are: ${name}.`,
    )
    await expect(restoreInto(target, target.dir)).rejects.toThrow(/There are no backups in/)
    await expect(refusalInto(target, { erasuresFile: backups })).resolves.toMatch(/There is no file .*Give --erasures/)
  })

  test('when a backup has the name of another, or names a file outside of it; a damaged marker does not matter', async () => {
    const target = await emptyTarget()
    const dir = await temporaryFolder()
    const { manifest } = await backUpServer(server, dir)
    const folder = join(dir, 'backups', manifest.name)
    await writeManifest(folder, { ...manifest, jobs: { ...manifest.jobs, file: '../../../secret-key' } })
    await expect(restoreInto(target, dir)).rejects.toThrow(/secret-key is not in the backup/)
    await rename(folder, join(dir, 'backups', '20200101T000000Z'))
    await expect(restoreInto(target, dir)).rejects.toThrow(/20200101T000000Z has another name.*Rename it\./)
    writeFileSync(join(dir, 'keepsnap-backups.json'), '')
    await expect(restoreInto(target, dir)).rejects.toThrow(/has another name/)
    await rm(join(dir, 'backups'), { recursive: true })
    writeFileSync(join(dir, 'keepsnap-backups.json'), '{"program":"Keepsnap","format":1}')
    await expect(restoreInto(target, dir)).rejects.toThrow(/There is no finished backup in/)
  })
})

test('a restore that was interrupted keeps the program from starting, and goes on when it is run again', async () => {
  const backups = await temporaryFolder()
  const { manifest } = await backUpServer(server, backups)
  const target = await emptyTarget()
  const storage = await openStorageOfSettings(configOf(target.dir))
  let left = 1
  const breaking: Storage = {
    ...storage,
    async stage(...args) {
      if (left-- <= 0) throw new StorageDown('the store is down')
      return storage.stage(...args)
    },
  }
  const openTarget = async () => ({ database: target.database, storage: breaking })
  await expect(restoreInto(target, backups, { openTarget })).rejects.toThrow('the store is down')

  const config = configOf(target.dir, { DATABASE_URL: urlOf(target.database) })
  const operate = runOperatorCommand('list-admin-keys', [], { config, log: createLog('silent') })
  await expect(operate).rejects.toThrow(
    `The restore of the backup ${manifest.name} is not finished: files are missing. Run "restore DIR --from ${manifest.name}" again`,
  )
  const later = await backUpServer(server, backups)
  await expect(restoreInto(target, backups)).rejects.toThrow(`Finish it with --from ${manifest.name}`)
  expect(later.manifest.name).not.toBe(manifest.name)

  const restored = await restoreInto(target, backups, { from: manifest.name })
  expect(restored).toMatchObject({ files: manifest.files, missing: [] })
  await expect(runOperatorCommand('list-admin-keys', [], { config, log: createLog('silent') })).resolves.toMatch(
    'No admin keys',
  )
})

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
