import { availableParallelism, tmpdir } from 'node:os'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from './config.ts'
import { createLazyImagePool, type ForeignStore, imageProcessCount, openMail, openStorageInUse } from './open-ports.ts'
import { createLog } from './platform/process/log.ts'
import { connect, type Db } from './platform/db/connect.ts'
import { newStorageKey } from './features/photos/stored-objects.ts'
import { jpeg } from './images/test/sample-images.ts'
import type { Storage } from './ports/storage/storage.ts'
import { cloneDatabase } from './test/cloned-database.ts'
import { useServer } from './test/harness.ts'
import { makeUser, upload } from './test/test-data.ts'

describe('lazy image pool', () => {
  const machine = { lanAddress: undefined, cwd: '/nowhere' }

  test('there are as many image processes as WORKERS says, otherwise one for each core', () => {
    expect(imageProcessCount(readConfig({ WORKERS: '7' }, machine))).toBe(7)
    expect(imageProcessCount(readConfig({}, machine))).toBe(availableParallelism())
  })

  test('closing a pool that was never used starts nothing, and it cannot be used afterwards', async () => {
    const images = createLazyImagePool({ config: readConfig({}, machine), log: createLog('silent') })
    await images.close()
    await expect(images.get()).rejects.toThrow('have been stopped')
  })
})

describe('open mail', () => {
  test('a file of certificates that is none is named at the start', async () => {
    for (const file of ['/no/such/ca.pem', import.meta.filename]) {
      const env = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@example.com', NODE_EXTRA_CA_CERTS: file }
      await expect(openMail(readConfig(env, { lanAddress: undefined, cwd: '/' }))).rejects.toThrow(
        `NODE_EXTRA_CA_CERTS is ${file}, which cannot be read or has no certificate`,
      )
    }
  })
})

describe('open storage', () => {
  const server = useServer()

  const countNodes = async (): Promise<number> =>
    (await server.db.selectFrom('storage_nodes').select('node').execute()).length

  test('a node whose store cannot be opened is no longer one of those that follow the store in use', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'keepsnap-store-'))
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    await mkdir(join(dataDir, 'files'))
    await writeFile(join(dataDir, 'files/incoming'), 'a file in the place of the folder')
    const config = readConfig({ DATA_DIR: dataDir }, { lanAddress: undefined, cwd: dataDir })
    const before = await countNodes()
    const opening = openStorageInUse({ config, db: server.db, log: createLog('silent') })
    await expect(opening).rejects.toMatchObject({ code: expect.stringMatching(/^(ENOTDIR|EEXIST)$/) })
    expect(await countNodes()).toBe(before)
  })

  describe('a folder of files that is not of this installation', () => {
    let photo: string
    beforeAll(async () => {
      const user = await makeUser(server)
      await upload(server, user, await jpeg({ width: 20, height: 10 }))
      const rows = await server.db.selectFrom('photos').select('original_key').execute()
      photo = rows[0]!.original_key!
    })

    const newFolder = async (): Promise<string> => {
      const folder = await mkdtemp(join(tmpdir(), 'keepsnap-store-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      return folder
    }
    const logged: string[] = []
    /** Starts a program with a data folder, as far as its store; what it says, and whether it finds the photo. */
    const start = async (
      dataDir: string,
      { db = server.db, foreignStore }: { db?: Db; foreignStore?: ForeignStore } = {},
    ) => {
      const env = {
        DATA_DIR: dataDir,
        DATABASE_URL: 'postgres://elsewhere',
        SECRET_KEY: 'a secret of the tests, long enough',
      }
      const config = readConfig(env, { lanAddress: undefined, cwd: dataDir })
      const log = createLog('warn', { write: (line) => logged.push(line) })
      const opened = await openStorageInUse({ config, db, log, foreignStore }).catch((error: Error) => error.message)
      if (typeof opened === 'string') return { refusal: opened, storage: undefined }
      onTestFinished(opened.close)
      return { refusal: '', storage: opened.storage }
    }
    const markOf = (dataDir: string): string => join(dataDir, 'files/keepsnap-installation.json')
    const store = async (storage: Storage, dataDir: string): Promise<string> => {
      const [key, path] = [newStorageKey('full'), join(dataDir, 'photo')]
      await writeFile(path, 'bytes')
      await storage.moveIn(key, path, { type: 'image/jpeg' })
      return key
    }

    test('such as the own disk of a second node, keeps the program from starting, but for one start', async () => {
      const dataDir = await newFolder()
      const { refusal } = await start(dataDir)
      expect(refusal).toMatch(
        /^The folder .*files has none of the files that the database names.* Nothing was stored there\. Check DATA_DIR and DATABASE_URL\..*serve --anyway$/,
      )
      expect(await readdir(join(dataDir, 'files'))).not.toContain('keepsnap-installation.json')
      const { storage } = await start(dataDir, { foreignStore: 'warn' })
      const key = await store(storage!, dataDir)
      await server.db.insertInto('stored_objects').values({ key }).execute()
      expect(logged.join('')).toContain('It is used as it is until the next start.')
      expect(await start(dataDir)).toMatchObject({
        refusal: expect.stringContaining('has files, but not the file keepsnap-i'),
      })
      // As the refusal says.
      const { id } = await server.db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
      await writeFile(markOf(dataDir), JSON.stringify({ installation: id }))
      expect(await start(dataDir)).toMatchObject({ refusal: '' })
    })

    test('is no copy of its folder, nor one of an earlier version, which is marked at the first start', async () => {
      const [copy, old] = [await newFolder(), await newFolder()]
      await cp(join(server.dir, 'files'), join(copy, 'files'), { recursive: true })
      expect(await (await start(copy)).storage?.sizeOf(photo)).toBeGreaterThan(0)
      await cp(join(server.dir, 'files'), join(old, 'files'), { recursive: true })
      await rm(markOf(old))
      await server.db.updateTable('installation').set({ disk_marked: false }).execute()
      expect(await start(old)).toMatchObject({ refusal: '' })
      expect(await readFile(markOf(old))).toEqual(await readFile(markOf(server.dir)))
    })

    test('has the mark of another, or files that a new database does not know', async () => {
      const { database, drop } = await cloneDatabase()
      const { db, close } = connect(database, createLog('silent'), 2)
      onTestFinished(() => close().then(drop))
      await db
        .updateTable('installation')
        .set({ id: 'f'.repeat(32) })
        .execute()
      const dataDir = await newFolder()
      await cp(join(server.dir, 'files'), join(dataDir, 'files'), { recursive: true })
      expect(await start(dataDir, { db })).toMatchObject({ refusal: expect.stringContaining('is of another Keepsnap') })
      await rm(markOf(dataDir))
      expect((await start(dataDir, { db })).refusal).toMatch(
        /does not know, such as orig\/\w+: .*restore a backup with --keep/,
      )
      const empty = await newFolder()
      expect(await start(empty, { db })).toMatchObject({ refusal: '' })
      // Nothing is stored yet, and the other one runs.
      expect((await start(await newFolder(), { db })).refusal).toMatch(/is not the one of the other programs/)
      // A damaged mark is none.
      await writeFile(markOf(empty), '{"instal')
      expect(await start(empty, { db })).toMatchObject({ refusal: '' })
      expect(await readFile(markOf(empty), 'utf8')).toContain('f'.repeat(32))
    })
  })
})
