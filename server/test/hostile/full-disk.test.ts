import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg, segment } from '../../images/test/sample-images.ts'
import { logWithSeed, repetitions } from '../statistics.ts'
import { makeApiUser, type TestUser, upload } from '../test-data.ts'
import { newClientAddress, startServer, type TestServer } from '../harness.ts'
import { expectConsistent, runOverdueWork, temporaryFiles } from '../consistency-check.ts'

/** Only root may make a disk that is small. */
const isRoot = process.geteuid?.() === 0
const photo = await jpeg({ width: 1600, height: 1200 })
/** The same picture with a comment after its scan, so that it has to be re-encoded. */
const odd = Buffer.concat([photo.subarray(0, -2), segment(0xfe, 'after the scan'), photo.subarray(-2)])
let disk: string
let server: TestServer
let user: TestUser

beforeAll(async () => {
  if (!isRoot) return
  disk = await mkdtemp(join(tmpdir(), 'keepsnap-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk])
  await mkdir(join(disk, 'data'))
  // Image processes that were started before the disk was mounted do not see it in their sandbox.
  server = await startServer({ LOG_LEVEL: 'silent' }, { dir: join(disk, 'data'), ownImageProcesses: true })
  user = await makeApiUser(server)
})
afterAll(async () => {
  if (!isRoot) return
  await server.close()
  execFileSync('umount', [disk])
  await rm(disk, { recursive: true, force: true })
})

/** Fills the disk up to so many bytes. */
async function leave(bytes: number): Promise<void> {
  const file = await open(join(disk, 'ballast'), 'a')
  const { bavail, bsize } = await statfs(disk)
  const count = Math.max(0, bavail * bsize - bytes)
  for (let written = 0; written < count;)
    written += (await file.write(Buffer.alloc(Math.min(count - written, 1024 * 1024), 1))).bytesWritten
  await file.close()
}
const makeRoom = (): Promise<void> => rm(join(disk, 'ballast'), { force: true })
const photosOf = async (): Promise<Photo[]> =>
  (await server.request({ method: 'GET', url: '/photos', token: user.token })).json<Photo[]>()

describe('when the disk is full', () => {
  beforeEach(({ skip }) => skip(!isRoot, 'needs root, to mount a small disk'))

  test('uploads are refused with a sentence at any point; reads go on; freeing space restores uploads', async () => {
    expect((await upload(server, user, photo)).statusCode).toBe(201)
    await server.work()
    const [made] = await photosOf()
    const { pathname, search } = new URL(made!.b2_url!)
    const steps = repetitions(2, 60)
    for (let step = 0; step < steps; step++) {
      await server.app.deps.pool.query('delete from rate_hits')
      await makeRoom()
      await leave(Math.floor((photo.length * 0.95 * step) / steps))
      const answers = await Promise.all([upload(server, user, photo), upload(server, user, photo)])
      for (const answer of answers)
        expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
          503,
          '30',
          {
            code: 'unavailable',
            detail: 'Photos cannot be stored or read right now. Nothing is lost. Please try again shortly.',
          },
        ])
      expect(await temporaryFiles(server)).toEqual([])
      const read = await server.request({ method: 'GET', url: pathname + search, from: newClientAddress() })
      expect([read.statusCode, read.rawPayload.length]).toEqual([200, made!.size_bytes])
      expect(await photosOf()).toHaveLength(1)
    }
    logWithSeed(`${steps} times no room for an upload`)
    await expectConsistent(server)
    await makeRoom()
    expect((await upload(server, user, photo)).statusCode).toBe(201)
    await runOverdueWork(server)
    await expectConsistent(server)
  })

  test('a photo that was accepted waits for room, and does not fail', async () => {
    const before = (await photosOf()).length
    const steps = repetitions(2, 40)
    for (let step = 0; step < steps; step++) {
      await server.app.deps.pool.query('delete from rate_hits')
      const { id } = (await upload(server, user, odd)).json<Photo>()
      await leave(Math.floor((odd.length * 0.9 * step) / steps))
      await server.work()
      expect((await photosOf())[0]).toMatchObject({ id, processing: true, processing_failed: false })
      await makeRoom()
      await runOverdueWork(server)
      expect((await photosOf())[0]).toMatchObject({ id, processing_complete: true })
      await expectConsistent(server)
      await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
      await server.work()
    }
    logWithSeed(`${steps} times no room for what becomes of a photo`)
    expect(await photosOf()).toHaveLength(before)
  })
})
