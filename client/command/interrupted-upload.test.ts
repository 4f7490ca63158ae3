import { expect, test } from 'vitest'
import { createClient } from '../client.ts'
import { KeepsnapError, KeepsnapNetworkError } from '../errors.ts'
import { startScriptedServer } from '../test/scripted-server.ts'
import { findInterrupted, isKeyKnown, recordAttempt } from './interrupted-upload.ts'
import type { StartedUpload } from './state-file.ts'

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
