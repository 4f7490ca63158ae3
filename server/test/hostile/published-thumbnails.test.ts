import { open, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { connect } from '../../db/connect.ts'
import { startEmbeddedPostgres, type EmbeddedConnection } from '../../postgres/embedded-postgres.ts'
import { copyClusterTo } from '../../postgres/test/copied-cluster.ts'
import { migrate } from '../../db/migrate.ts'
import { deletePhotoObjects } from '../../features/photos/delete-photo.ts'
import { processPhoto } from '../../features/photos/process-photo.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { StorageDown, type Storage } from '../../ports/storage/storage.ts'
import { startServer, type TestServer } from '../harness.ts'
import { makeUser, upload } from '../test-data.ts'
import { expectConsistent, runOverdueWork } from '../consistency-check.ts'
import { scratchFolder } from '../child-processes.ts'

const photo = await jpeg()
let server: TestServer
const rowOf = async (id: string) =>
  (
    await server.app.deps.pool.query('select state, thumb_key is not null as seen, width from photos where id = $1', [
      id,
    ])
  ).rows[0] as { state: string; seen: boolean; width: number | null } // as asked

/** Runs `work` instead of the next move of a file of this kind into the store. */
function replaceMove(kind: 'thumb' | 'full', work: (moveIn: () => Promise<void>) => Promise<void>): void {
  const { storage } = server.app.deps
  const { moveIn } = storage
  const replaced: Storage['moveIn'] = async (key, path, options) => {
    const move = () => moveIn(key, path, options)
    if (!key.startsWith(`${kind}/`)) return move()
    storage.moveIn = moveIn
    await work(move)
  }
  storage.moveIn = replaced
  onTestFinished(() => void (storage.moveIn = moveIn))
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

describe('a thumbnail that cannot be stored', () => {
  beforeEach(async () => {
    server = await startServer({ LOG_LEVEL: 'silent' })
  })
  afterEach(() => server.close())

  test('leaves its photo queued, and the photo is processed in the end', async () => {
    const user = await makeUser(server)
    const { id } = (await upload(server, user, photo)).json<Photo>()
    replaceMove('thumb', async (moveIn) => {
      await moveIn()
      throw new StorageDown('not durable')
    })
    await server.work()
    expect(await rowOf(id)).toMatchObject({ state: 'queued', seen: false })
    await runOverdueWork(server)
    expect(await rowOf(id)).toMatchObject({ state: 'ready', seen: true })
    await expectConsistent(server)
  })

  test('is not left behind when its photo is deleted at the same time', async () => {
    const user = await makeUser(server)
    const { id } = (await upload(server, user, photo)).json<Photo>()
    replaceMove('thumb', async (moveIn) => {
      await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
      await deletePhotoObjects(server.app.deps, id)
      const heal = await failToSync()
      await moveIn().finally(heal)
    })
    await server.work()
    await runOverdueWork(server)
    await expectConsistent(server)
  })
})

/** A connection whose backend can be killed: PostgreSQL starts anew when any of its processes dies. */
async function connectVictim(connection: EmbeddedConnection): Promise<() => Promise<void>> {
  const victim = new Client(connection)
  victim.on('error', () => {})
  const disconnected = new Promise<void>((resolve) => victim.once('end', resolve))
  await victim.connect()
  const { pid } = (await victim.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!
  return async () => {
    process.kill(pid, 'SIGKILL')
    await disconnected
  }
}

async function acceptsConnections(connection: EmbeddedConnection): Promise<boolean> {
  const client = new Client(connection)
  client.on('error', () => {})
  const isConnected = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return isConnected
}

/**
 * Crashes PostgreSQL when the thumbnail of a new photo has just been published. Resolves with whether the photo was finished
 * nevertheless, and whether the thumbnail was lost before that.
 */
async function crashAfterThumbnail(
  connection: EmbeddedConnection,
): Promise<{ id: string; isFinished: boolean; isLost: boolean }> {
  const { deps } = server.app
  const { id } = (await upload(server, await makeUser(server), photo)).json<Photo>()
  const crash = await connectVictim(connection)
  let isLost = false
  replaceMove('full', async (moveIn) => {
    await moveIn()
    await expect.poll(async () => (await rowOf(id)).seen, { interval: 1 }).toBe(true)
    await crash()
    // New connections are refused until all others have ended and the database has recovered.
    await expect.poll(() => acceptsConnections(connection)).toBe(true)
    await expect.poll(() => rowOf(id).catch(() => null)).not.toBeNull()
    isLost = !(await rowOf(id)).seen
  })
  // The database may crash after the commit and before its reply: then this attempt fails, as that of a job does.
  const isFinished = await processPhoto({ ...deps, images: await server.images() }, id).then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ message: 'Connection terminated unexpectedly' })
      return false
    },
  )
  return { id, isFinished, isLost: isFinished && isLost }
}

test('a database that crashes between a thumbnail and its photo loses neither', async () => {
  const log = pino({ level: 'silent' })
  const dataDir = join(scratchFolder(onTestFinished), 'data')
  await copyClusterTo(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  onTestFinished(() => postgres.stop())
  const { connection } = postgres
  const first = connect(connection, log, 2)
  await migrate(first.db, first.pool)
  // What is committed without waiting is not on the disk for long enough.
  await first.pool.query("alter system set wal_writer_delay = '10s'")
  await first.pool.query('select pg_reload_conf()')
  await first.close()
  server = await startServer({ LOG_LEVEL: 'silent' }, { database: connection })
  onTestFinished(() => server.close())
  // PostgreSQL may still write to the disk right before it is killed, more so on a busy machine, or not reply: then another photo is tried.
  for (let attempt = 1; ; attempt++) {
    const { id, isFinished, isLost } = await crashAfterThumbnail(connection)
    if (!isFinished) await runOverdueWork(server)
    expect(await rowOf(id)).toMatchObject({ state: 'ready', seen: true, width: expect.any(Number) })
    await runOverdueWork(server)
    await expectConsistent(server)
    if (isLost) return
    expect(attempt, 'crashes that lost nothing').toBeLessThan(15)
  }
})
