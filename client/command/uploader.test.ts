import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Client, createClient, type FileSource, KeepsnapError, KeepsnapNetworkError } from '../client.ts'
import { startScriptedServer } from '../test/scripted-server.ts'
import { errorStatus, type Photo } from '../api.ts'
import {
  createUploader,
  findInterrupted,
  isKeyKnown,
  type Outcome,
  outcomeOf,
  recordAttempt,
  sendFile,
} from './uploader.ts'
import { type KnownFile, openState, type StartedUpload } from './state-file.ts'
import { texts } from './options.ts'
import type { FoundFile } from './file-scan.ts'

describe('interrupted upload', () => {
  const hour = 3_600_000
  const startedAt = Date.parse('2026-11-21T23:00:00Z')
  const started: StartedUpload = { hash: 'h', name: 'IMG_1.jpg', at: new Date(startedAt).toISOString() }
  const atMinute = (minutes: number): string => new Date(startedAt + minutes * 60_000).toISOString()
  const photo = (filename: string, minutes: number) => ({
    id: `${filename} ${minutes}`,
    filename,
    created_at: atMinute(minutes),
  })
  const page = (...photos: ReturnType<typeof photo>[]) => ({
    status: 200,
    json: { photos, total: 1000, skip: 0, limit: 50 },
  })

  async function find(
    pages: ReturnType<typeof page>[],
    {
      hours = 48,
      hash = 'h',
      name = 'IMG_1.jpg',
      lastMinute,
      ofOthers = [],
    }: { hours?: number; hash?: string; name?: string; lastMinute?: number; ofOthers?: string[] } = {},
  ) {
    const { url, requests } = await startScriptedServer(...pages)
    const found = await findInterrupted(
      {
        client: createClient({ url, apiKey: 'ksnap_x' }),
        state: {
          started: () => ({ ...started, ...(lastMinute !== undefined && { lastAt: atMinute(lastMinute) }) }),
          hasPhoto: (id) => ofOthers.includes(id),
        },
        serverTime: () => startedAt + hours * hour,
        signal: new AbortController().signal,
      },
      { hash, name, size: 30 * 32 * 1024 },
    )
    return { id: found?.id, urls: requests.map((request) => request.url) }
  }

  test('an upload that was accepted is found by its name among the photos since it was begun', async () => {
    const newest = Array.from({ length: 50 }, (_, at) => photo(`later ${at}.jpg`, 600 - at))
    const pages = [page(...newest), page(photo('IMG_2.jpg', 9), photo('IMG_1.jpg', 0.1), photo('IMG_1.jpg', -600))]
    expect(await find(pages)).toEqual({
      id: 'IMG_1.jpg 0.1',
      urls: [
        '/api/photos',
        `/api/photos?before=${new URLSearchParams([['', newest[49]?.id ?? '']]).toString().slice(1)}`,
      ],
    })
    expect((await find([page(photo('Best _1_.jpg', 1))], { name: 'Best "1".jpg' })).id).toBe('Best _1_.jpg 1')
  })

  test('an upload that was not accepted is not found, and photos from before are not looked at', async () => {
    const urls = ['/api/photos']
    expect(await find([page(photo('IMG_2.jpg', 9), photo('IMG_1.jpg', -600))])).toEqual({ id: undefined, urls })
    expect(await find([page()])).toEqual({ id: undefined, urls })
  })

  test('the server is not asked while it knows the idempotency key, nor about other files', async () => {
    expect((await find([page(photo('IMG_1.jpg', 1))], { hours: 22 })).urls).toEqual([])
    expect((await find([page(photo('IMG_1.jpg', 1))], { hash: 'other' })).urls).toEqual([])
    expect(isKeyKnown(started, 'h', startedAt + 22 * hour)).toBe(true)
    expect(isKeyKnown(started, 'h', startedAt + 24 * hour)).toBe(false)
    expect(isKeyKnown(null, 'h', startedAt)).toBe(false)
  })

  test('a photo from after the last attempt, and one of another file, is not that of the upload', async () => {
    // An attempt takes at most 90 s, and the clocks may differ by a minute.
    expect((await find([page(photo('IMG_1.jpg', 2.4))], { lastMinute: 0 })).id).toBe('IMG_1.jpg 2.4')
    expect((await find([page(photo('IMG_1.jpg', 2.6))], { lastMinute: 0 })).id).toBeUndefined()
    // An earlier version did not store the last attempt, which began within 23 hours.
    expect((await find([page(photo('IMG_1.jpg', 22 * 60))])).id).toBe('IMG_1.jpg 1320')
    expect((await find([page(photo('IMG_1.jpg', 60), photo('IMG_1.jpg', 20))], { lastMinute: 30 })).id).toBe(
      'IMG_1.jpg 20',
    )
    const ofOthers = ['IMG_1.jpg 1']
    expect((await find([page(photo('IMG_1.jpg', 1), photo('IMG_1.jpg', 0))], { ofOthers })).id).toBe('IMG_1.jpg 0')
  })

  test.each<[string, Error, StartedUpload | null, StartedUpload | null]>([
    ['no answer', new KeepsnapNetworkError('timeout', ''), null, { ...started, at: atMinute(9), lastAt: atMinute(9) }],
    ['no answer again', new KeepsnapNetworkError('timeout', ''), started, { ...started, lastAt: atMinute(9) }],
    ['an error of the server', new KeepsnapError(500, {}, null), started, { ...started, lastAt: atMinute(9) }],
    ['an upload in progress', new KeepsnapError(409, {}, 2), started, { ...started, lastAt: atMinute(9) }],
    ['a refusal', new KeepsnapError(403, { code: 'quota_photos', detail: '' }, null), null, null],
    ['a refusal after no answer', new KeepsnapError(403, { code: 'quota_photos', detail: '' }, null), started, null],
    ['a refusal before the key is looked up', new KeepsnapError(429, {}, 9), started, started],
    [
      'a refusal after another file',
      new KeepsnapError(413, { code: 'too_large', detail: '' }, null),
      { ...started, hash: 'other' },
      { ...started, hash: 'other' },
    ],
  ])('after %s, the state says what may have been accepted', async (_, error, before, after) => {
    let stored = before
    const states: (StartedUpload | null)[] = []
    const state = {
      started: () => stored,
      start: async (upload: StartedUpload | null) => {
        stored = upload
        states.push(upload)
      },
    }
    const send = async () => {
      expect(states).toMatchObject([{ hash: 'h', lastAt: atMinute(9) }])
      throw error
    }
    const serverTime = () => Date.parse(atMinute(9))
    await expect(recordAttempt({ state, serverTime }, { hash: 'h', name: 'IMG_1.jpg' }, send)).rejects.toBe(error)
    expect(stored).toEqual(after)
  })
})

describe('outcomes', () => {
  const url = 'https://photos.example'
  const refused = (status: number, code: string | null, retryAfter: number | null = null): KeepsnapError =>
    new KeepsnapError(status, code && { code, detail: 'Why.' }, retryAfter)

  test.each<[string, KeepsnapError | KeepsnapNetworkError, number, Partial<Outcome>]>([
    ['no network', new KeepsnapNetworkError('unreachable', 'Away.'), 6, { do: 'wait', reason: 'Away.' }],
    ['a rate limit', refused(429, 'rate_limited', 20), 1, { do: 'wait', seconds: 20, reason: 'Why.' }],
    ['a server that restarts', refused(503, 'unavailable', 2), 1, { do: 'wait', seconds: 2 }],
    ['a wrong key', refused(401, 'unauthorized'), 1, { do: 'stop' }],
    ['a plan without API access', refused(403, 'forbidden'), 1, { do: 'wait', seconds: 60, ends: 'noAccess' }],
    ['a full month', refused(403, 'quota_photos'), 1, { do: 'wait', seconds: 60, ends: 'failed' }],
    ['a full month, for the sixth time', refused(403, 'quota_photos'), 6, { do: 'wait', seconds: 600, ends: 'failed' }],
    ['a full storage', refused(403, 'quota_storage'), 1, { do: 'wait', ends: 'failed' }],
    ['a file that is too large', refused(413, 'too_large'), 1, { do: 'skip', isFinal: false, reason: 'Why.' }],
    ['a file that is too large for a proxy', refused(413, null), 1, { do: 'skip', isFinal: false }],
    ['an event that was deleted', refused(409, 'event_gone'), 1, { do: 'wait', ends: 'noAccess', reason: 'Why.' }],
    [
      'an event that does not exist',
      new KeepsnapError(422, { code: 'invalid', detail: [{ loc: ['query', 'event'], msg: 'Why.' }] }, null),
      1,
      { do: 'stop', reason: expect.stringContaining('Why.') },
    ],
    ['a file that is no image', refused(415, 'not_an_image'), 1, { do: 'skip', isFinal: true, reason: 'Why.' }],
    [
      'another file under the same idempotency key',
      new KeepsnapError(422, { code: 'invalid', detail: [{ loc: ['header', 'Idempotency-Key'], msg: 'Why.' }] }, null),
      1,
      { do: 'skip', isFinal: false, reason: texts.otherFile },
    ],
    ['an upload in progress', refused(409, 'conflict', 2), 1, { do: 'wait', seconds: 2 }],
    ['a photo that was deleted', refused(409, 'conflict'), 1, { do: 'deleted' }],
    ['no time for slow files today', refused(429, 'processing_limit', 9000), 1, { do: 'later', seconds: 9000 }],
    ['a bug', refused(500, 'internal'), 1, { do: 'wait' }],
    ['a bug, for the fourth time', refused(500, 'internal'), 4, { do: 'later', seconds: 600 }],
    ['a form that was cut off', refused(400, 'bad_request'), 1, { do: 'wait' }],
    ['no API at this URL', refused(404, 'not_found'), 1, { do: 'wait', seconds: 60 }],
    ['another server at this URL', refused(404, null), 1, { do: 'wait', seconds: 60 }],
    ['a proxy without a server', refused(502, null), 1, { do: 'wait' }],
  ])('after %s', (_, error, attempt, expected) => {
    expect(outcomeOf(error, attempt, url)).toMatchObject(expected)
  })

  test('every code of the contract has an outcome with a reason', () => {
    for (const [code, status] of Object.entries(errorStatus)) {
      const outcome = outcomeOf(refused(status, code), 1, url)
      expect([code, outcome.do === 'deleted' ? 'none' : outcome.reason]).toEqual([code, expect.stringMatching(/\w/)])
    }
  })
})

describe('send file', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const file = { name: 'photo.jpg', source: {} as FileSource } // the client of these tests does not read it

  /** An upload of which the server has read nothing, and how it ends. */
  function waitingUpload() {
    const { promise, reject } = Promise.withResolvers<never>()
    const uploadPhoto: Client['uploadPhoto'] = (_file, { signal } = {}) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      return promise
    }
    const client = { uploadPhoto } as Client // sending a file uses this call alone
    const { signal } = new AbortController()
    const ended = sendFile(client, file, { idempotencyKey: 'key', onProgress: () => {}, signal }).catch(
      (error: unknown) => error,
    )
    return { ended, refuse: reject }
  }

  test('an upload waits longer than the server lets it wait before it refuses it', async () => {
    const { ended, refuse } = waitingUpload()
    await vi.advanceTimersByTimeAsync(41_000)
    const refusal = new KeepsnapError(429, { code: 'rate_limited', detail: 'Too many uploads at once.' }, 5)
    refuse(refusal)
    expect(await ended).toBe(refusal)
  })

  test('an upload that makes no progress for a minute is aborted', async () => {
    const { ended } = waitingUpload()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await ended).toMatchObject({ message: 'The upload makes no progress.' })
  })
})

describe('uploader', () => {
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
})
