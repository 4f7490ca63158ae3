import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { KeepsnapError, KeepsnapNetworkError } from '../errors.ts'
import type { Client } from '../client.ts'
import type { Photo } from '../api.ts'
import type { FoundFile } from './file-scan.ts'
import { openState, type KnownFile } from './state-file.ts'
import { createUploader } from './uploader.ts'

const hour = 3_600_000
const beginning = Date.parse('2026-11-27T12:00:00Z')
const fullMonth = new KeepsnapError(403, { code: 'quota_photos', detail: 'The month is full.' }, null)
const noAccess = new KeepsnapError(403, { code: 'forbidden', detail: 'No API access.' }, null)
const brokenConnection = new KeepsnapNetworkError('unreachable', 'The connection broke.')

/** A booth, and a server that answers each upload with the next of `answers`: an error, or else a photo. */
async function openBooth({ once = false, earlierFiles = [] }: { once?: boolean; earlierFiles?: KnownFile[] } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'keepsnap-uploader-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const stateFile = join(folder, 'state.json')
  await writeFile(stateFile, JSON.stringify({ version: 1, account: 'a', started: null, files: earlierFiles }))
  const clock = { server: beginning, known: beginning }
  const photos: Photo[] = []
  const sent: string[] = []
  const lines: string[] = []
  const booth = {
    folder,
    photos,
    sent,
    lines,
    answers: [] as (Error | undefined)[],
    /** Called instead of each wait. */
    onWait: (): void => {},
    passTime(hours: number, { suspended = false } = {}) {
      clock.server += hours * hour
      if (!suspended) clock.known = clock.server
    },
    accept(filename: string) {
      const created_at = new Date(clock.server).toISOString()
      const photo = { id: `photo ${photos.length}`, filename, created_at, qr_code_url: 'http://x/qr/d/y' }
      photos.unshift(photo as Photo) // the uploader reads these fields alone
      return photo as Photo
    },
    async add(path: string, content: string): Promise<FoundFile> {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
      await utimes(join(folder, path), 1_000, 1_000)
      const { size, mtimeMs } = await stat(join(folder, path))
      return { path: join(folder, path), name: basename(path), size, modified: mtimeMs }
    },
  }
  const client = {
    uploadPhoto: async (_file, { filename = '' } = {}) => {
      sent.push(filename)
      const answer = booth.answers.shift()
      if (answer) throw answer
      return booth.accept(filename)
    },
    async *allPhotos() {
      yield* photos
    },
  } as Client // the uploader makes these calls alone
  const uploader = createUploader({
    client,
    url: 'http://keepsnap.test',
    state: await openState(stateFile, 'a'),
    output: { line: (text) => void lines.push(text), progress: () => {}, qrCode: () => {} },
    waits: { for: async () => booth.onWait(), over: () => {} },
    serverTime: () => clock.known,
    updateServerTime: async () => void (clock.known = clock.server),
    once,
    waiting: () => 0,
    signal: new AbortController().signal,
  })
  return Object.assign(booth, { uploader, openStateAgain: () => openState(stateFile, 'a') })
}

test.each([
  ['a full month', fullMonth],
  ['a plan without API access', noAccess],
])('after a day of %s, a photo is sent although another one has its name', async (_, refusal) => {
  const booth = await openBooth()
  const file = await booth.add('IMG_0001.jpg', 'mine')
  booth.answers = [refusal, refusal]
  booth.onWait = () => {
    booth.passTime(20)
    booth.accept('IMG_0001.jpg')
  }
  expect(await booth.uploader.upload(file)).toEqual({ is: 'uploaded' })
  expect(booth.sent).toHaveLength(3)
  expect((await booth.openStateAgain()).byStat(file)?.photoId).toBe('photo 2')
})

test('after a day without network, a photo is sent although others have its name', async () => {
  const booth = await openBooth()
  await booth.uploader.upload(await booth.add('first/IMG_0001.jpg', 'another card'))
  booth.answers = [brokenConnection]
  booth.onWait = () => {
    booth.passTime(25)
    booth.accept('IMG_0001.jpg')
  }
  expect(await booth.uploader.upload(await booth.add('second/IMG_0001.jpg', 'mine'))).toEqual({ is: 'uploaded' })
  expect(booth.sent).toHaveLength(3)
})

test('a photo that was accepted before the machine was suspended is not sent again', async () => {
  const booth = await openBooth()
  const file = await booth.add('IMG_0001.jpg', 'mine')
  booth.answers = [brokenConnection]
  booth.onWait = () => {
    booth.accept('IMG_0001.jpg')
    booth.passTime(30, { suspended: true })
  }
  expect(await booth.uploader.upload(file)).toEqual({ is: 'uploaded' })
  expect(booth.sent).toEqual(['IMG_0001.jpg'])
})

test('of two files with the same name, size and time, both are uploaded', async () => {
  const booth = await openBooth()
  await booth.uploader.upload(await booth.add('100/IMG_1.tif', 'one'))
  await booth.uploader.upload(await booth.add('101/IMG_1.tif', 'two'))
  expect(booth.sent).toEqual(['IMG_1.tif', 'IMG_1.tif'])
})

test('a file that an earlier version has uploaded is recognized by its content, once and without a line', async () => {
  const hash = '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed' // of 'one'
  const entry: KnownFile = { hash, name: 'IMG_1.tif', size: 3, modified: 1_000_000, result: 'uploaded' }
  const booth = await openBooth({ earlierFiles: [entry] })
  const file = await booth.add('100/IMG_1.tif', 'one')
  expect(await booth.uploader.upload(file)).toEqual({ is: 'known' })
  expect([booth.sent, booth.lines]).toEqual([[], []])
  const state = await booth.openStateAgain()
  expect(state.byStat(file)).toEqual({ ...entry, path: file.path })
  await booth.uploader.upload(await booth.add('101/IMG_1.tif', 'two'))
  expect(booth.sent).toEqual(['IMG_1.tif'])
})

test('with once, a file that cannot be read is given up after two minutes', async () => {
  for (const once of [true, false]) {
    const booth = await openBooth({ once })
    const { path } = await booth.add('a.jpg', 'a')
    const file = { path: join(path, 'b.jpg'), name: 'b.jpg', size: 1, modified: 0 }
    for (let seconds = 5; seconds <= 120; seconds += 5)
      expect(await booth.uploader.upload(file)).toEqual({ is: 'later', seconds: 5 })
    expect((await booth.uploader.upload(file)).is).toBe(once ? 'refused' : 'later')
  }
})
