import { expect, test } from 'vitest'
import { createClient } from '../client.ts'
import { startScriptedServer } from '../test/scripted-server.ts'
import { findInterrupted, isKeyKnown } from './interrupted-upload.ts'

const hour = 3_600_000
const startedAt = Date.parse('2026-11-21T23:00:00Z')
const started = { hash: 'h', name: 'IMG_1.jpg', at: new Date(startedAt).toISOString() }
const photo = (filename: string, minutes: number) => ({
  id: `${filename} ${minutes}`,
  filename,
  created_at: new Date(startedAt + minutes * 60_000).toISOString(),
})
const page = (...photos: ReturnType<typeof photo>[]) => ({
  status: 200,
  json: { photos, total: 1000, skip: 0, limit: 50 },
})

async function find(
  pages: ReturnType<typeof page>[],
  { hours = 48, hash = 'h', name = 'IMG_1.jpg' }: { hours?: number; hash?: string; name?: string } = {},
) {
  const { url, requests } = await startScriptedServer(...pages)
  const found = await findInterrupted(
    {
      client: createClient({ url, apiKey: 'ksnap_x' }),
      state: { started: () => started },
      serverTime: () => startedAt + hours * hour,
      signal: new AbortController().signal,
    },
    { hash, name },
  )
  return { id: found?.id, urls: requests.map((request) => request.url) }
}

test('an upload that was accepted is found by its name among the photos since it was begun', async () => {
  const newest = Array.from({ length: 50 }, (_, at) => photo(`later ${at}.jpg`, 600 - at))
  const pages = [page(...newest), page(photo('IMG_2.jpg', 9), photo('IMG_1.jpg', 0.1), photo('IMG_1.jpg', -600))]
  expect(await find(pages)).toEqual({
    id: 'IMG_1.jpg 0.1',
    urls: ['/api/photos?skip=0&limit=50', '/api/photos?skip=50&limit=50'],
  })
  expect((await find([page(photo('Best _1_.jpg', 1))], { name: 'Best "1".jpg' })).id).toBe('Best _1_.jpg 1')
})

test('an upload that was not accepted is not found, and photos from before are not looked at', async () => {
  const urls = ['/api/photos?skip=0&limit=50']
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
