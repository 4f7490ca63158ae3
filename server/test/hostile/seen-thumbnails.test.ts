import { open, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { connect } from '../../db/connect.ts'
import { startEmbedded } from '../../db/embedded.ts'
import { migrate } from '../../db/migrate.ts'
import { deleteBytes, processPhoto } from '../../features/photos/process.ts'
import { jpeg } from '../../images/test/pictures.ts'
import { StorageDown, type Storage } from '../../ports/storage/storage.ts'
import { startServer, type TestServer } from '../harness.ts'
import { makeUser, upload } from '../makers.ts'
import { expectConsistent, letTimePass } from '../oracle.ts'
import { scratchFolder } from '../programs.ts'

const photo = await jpeg()
let server: TestServer
const rowOf = async (id: string) =>
  (
    await server.app.deps.pool.query('select state, thumb_key is not null as seen, width from photos where id = $1', [
      id,
    ])
  ).rows[0] as { state: string; seen: boolean; width: number | null } // as asked

/** Does something around the store's taking over of a file. */
function around(kind: 'thumb' | 'full', work: (take: () => Promise<void>) => Promise<void>): void {
  const { storage } = server.app.deps
  const { adopt } = storage
  const given: Storage['adopt'] = async (key, path, options) => {
    const take = () => adopt(key, path, options)
    if (!key.startsWith(`${kind}/`)) return take()
    storage.adopt = adopt
    await work(take)
  }
  storage.adopt = given
  onTestFinished(() => void (storage.adopt = adopt))
}

/** Syncing fails from now on, until that is taken back. */
async function failToSync(): Promise<() => void> {
  const path = join(server.dir, 'any')
  await writeFile(path, '')
  const file = await open(path)
  await file.close()
  const sync = vi.spyOn(Object.getPrototypeOf(file) as FileHandle, 'sync') // what `open` gives is one
  sync.mockRejectedValue(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' }))
  onTestFinished(() => sync.mockRestore())
  return () => sync.mockRestore()
}

describe('a thumbnail that was seen before it was safe', () => {
  beforeEach(async () => {
    server = await startServer({ LOG_LEVEL: 'silent' })
  })
  afterEach(() => server.close())

  test('keeps its photo queued when it does not become safe, and the photo is made in the end', async () => {
    const user = await makeUser(server)
    const { id } = (await upload(server, user, photo)).json<Photo>()
    around('thumb', async (take) => {
      await take()
      throw new StorageDown('not safe')
    })
    await server.work()
    expect(await rowOf(id)).toMatchObject({ state: 'queued', seen: true })
    await letTimePass(server)
    expect(await rowOf(id)).toMatchObject({ state: 'ready', seen: true })
    await expectConsistent(server)
  })

  test('does not stay when its photo was deleted in that moment', async () => {
    const user = await makeUser(server)
    const { id } = (await upload(server, user, photo)).json<Photo>()
    around('thumb', async (take) => {
      await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
      await deleteBytes(server.app.deps, id)
      const heal = await failToSync()
      await take().finally(heal)
    })
    await server.work()
    await letTimePass(server)
    await expectConsistent(server)
  })
})

test('a database that crashes between a thumbnail and its photo loses neither', async () => {
  const log = pino({ level: 'silent' })
  const postgres = await startEmbedded({ dataDir: scratchFolder(onTestFinished), log })
  onTestFinished(() => postgres.stop())
  const first = connect(postgres.connection, log, 2)
  await migrate(first.db, first.pool)
  // What is committed without waiting is not on the disk for long enough.
  await first.pool.query("alter system set wal_writer_delay = '10s'")
  await first.pool.query('select pg_reload_conf()')
  await first.close()
  server = await startServer({ LOG_LEVEL: 'silent' }, { database: postgres.connection })
  onTestFinished(() => server.close())
  const { deps } = server.app
  const { id } = (await upload(server, await makeUser(server), photo)).json<Photo>()
  // PostgreSQL starts anew when any of its processes dies.
  const victim = new Client(postgres.connection)
  victim.on('error', () => {})
  await victim.connect()
  const { pid } = (await victim.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!
  let lost = false
  around('full', async (take) => {
    await take()
    await expect.poll(async () => (await rowOf(id)).seen, { interval: 1 }).toBe(true)
    process.kill(pid, 'SIGKILL')
    await delay(300)
    await expect.poll(() => rowOf(id).catch(() => null), { timeout: 20_000 }).not.toBeNull()
    lost = !(await rowOf(id)).seen
  })
  await processPhoto({ ...deps, images: await server.images() }, id)
  expect(lost).toBe(true)
  expect(await rowOf(id)).toMatchObject({ state: 'ready', seen: true, width: expect.any(Number) })
  await letTimePass(server)
  await expectConsistent(server)
}, 90_000)
