import type { ServerMessage } from '@keepsnap/contract/live.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { samplePhoto } from '../../test/samples.ts'
import {
  applyPhotoChanges,
  applyPhotoMessages,
  cachedPhoto,
  photoKeys,
  type PhotoWindow,
  recentPhotoCount,
  removePhotos,
  setCachedPhotoHidden,
  setCachedPhotosHidden,
} from './photo-cache.ts'

const ids = (photos: readonly Photo[] | undefined) => photos?.map(({ id }) => id)

let queryClient: QueryClient
beforeEach(() => {
  queryClient = new QueryClient()
})

const latest = () => queryClient.getQueryData<Photo | null>(photoKeys.latest())
const recent = () => queryClient.getQueryData<Photo[]>(photoKeys.recent())
const list = (name = '') => queryClient.getQueryData<PhotoWindow>(photoKeys.list(name))?.photos
const receive = (...messages: ServerMessage[]) => applyPhotoMessages(queryClient, messages)
const added = (number: number): ServerMessage => ({
  action: 'new_photo',
  type: 'photo_added',
  photo: samplePhoto(number),
})
const deleted = (number: number): ServerMessage => ({
  action: 'photo_deleted',
  type: 'photo_deleted',
  id: `photo${number}`,
})
const isStale = (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated === true

/** Fills all queries. */
function fill(...photos: Photo[]) {
  queryClient.setQueryData(photoKeys.latest(), photos[0] ?? null)
  queryClient.setQueryData(photoKeys.recent(), photos.slice(0, recentPhotoCount))
  setWindow(photos)
}
const setWindow = (photos: Photo[], fields: Partial<PhotoWindow> = {}, name = '') =>
  queryClient.setQueryData<PhotoWindow>(photoKeys.list(name), {
    photos,
    newer: null,
    older: null,
    start: 0,
    skipped: 0,
    place: null,
    ...fields,
  })

describe('a new photo', () => {
  test('is the latest photo and the first of every list', () => {
    fill(samplePhoto(3), samplePhoto(2), samplePhoto(1))
    receive(added(4))
    expect(latest()?.id).toBe('photo4')
    expect(ids(recent())).toEqual(['photo4', 'photo3', 'photo2', 'photo1'])
    expect(ids(list())).toEqual(['photo4', 'photo3', 'photo2', 'photo1'])
  })

  test('is inserted once at its position when newer photos are known, and is not the latest', () => {
    fill(samplePhoto(3), samplePhoto(1))
    for (let times = 0; times < 2; times++) receive(added(2))
    const three = ['photo3', 'photo2', 'photo1']
    expect([latest()?.id, ids(recent()), ids(list())]).toEqual(['photo3', three, three])
  })

  test('does not make the list of recent photos longer than its maximum', () => {
    fill(...Array.from({ length: recentPhotoCount }, (_, index) => samplePhoto(recentPhotoCount - index)))
    receive(added(99))
    expect(recent()).toHaveLength(recentPhotoCount)
  })

  test('is added to empty lists, but creates none that was not fetched', () => {
    receive(added(1))
    expect([latest()?.id, recent(), list()]).toEqual(['photo1', undefined, undefined])
    fill()
    receive(added(1))
    expect([latest()?.id, ids(recent()), ids(list())]).toEqual(['photo1', ['photo1'], ['photo1']])
  })
})

describe('a changed photo', () => {
  test('is replaced in all queries', () => {
    fill(samplePhoto(2), samplePhoto(1))
    receive({ action: 'photo_update', photo: samplePhoto(2, { thumbnail_url: 'http://keepsnap.test/t/new' }) })
    expect(latest()?.thumbnail_url).toBe('http://keepsnap.test/t/new')
    expect(recent()?.[0]?.thumbnail_url).toBe('http://keepsnap.test/t/new')
    expect(queryClient.getQueryData<Photo>(photoKeys.one('photo2'))?.thumbnail_url).toBe('http://keepsnap.test/t/new')
  })

  test('does not become the latest photo', () => {
    fill(samplePhoto(2), samplePhoto(1))
    receive({ action: 'photo_update', photo: samplePhoto(1, { filename: 'other.jpg' }) })
    expect([latest()?.id, recent()?.[1]?.filename]).toEqual(['photo2', 'other.jpg'])
  })
})

describe('the latest photo after a connect', () => {
  test('changes nothing when it is known', () => {
    fill(samplePhoto(2), samplePhoto(1))
    receive({ action: 'latest_photo', photo: samplePhoto(2) })
    expect(isStale(photoKeys.recent())).toBe(false)
  })

  test.each([
    ['when they do not contain it', [samplePhoto(2), samplePhoto(1)]],
    ['when there were none', []],
  ])('invalidates the recent photos %s', (_, known) => {
    fill(...known)
    receive({ action: 'latest_photo', photo: samplePhoto(5) })
    expect([latest()?.id, isStale(photoKeys.recent())]).toEqual(['photo5', true])
  })

  test.each([
    ['restarts a fetch in flight when it is news', samplePhoto(2, { filename: 'other.jpg' }), 2],
    ['does not restart a fetch in flight when it is known', samplePhoto(2), 1],
  ])('%s', async (_, photo, fetches) => {
    fill(samplePhoto(2), samplePhoto(1))
    const fetchRecent = vi.fn<() => Promise<Photo[]>>(() => new Promise(() => {}))
    const observer = new QueryObserver(queryClient, { queryKey: photoKeys.recent(), queryFn: fetchRecent })
    const stop = observer.subscribe(() => {})
    receive({ action: 'latest_photo', photo })
    expect(fetchRecent).toHaveBeenCalledTimes(fetches)
    stop()
  })
})

test('a deleted photo is replaced as the latest by the previous one, until the server has answered', () => {
  fill(samplePhoto(3), samplePhoto(2), samplePhoto(1))
  receive(deleted(1))
  expect(isStale(photoKeys.latest())).toBe(false)
  receive(deleted(3))
  expect([latest()?.id, isStale(photoKeys.latest())]).toEqual(['photo2', true])
})

test('a response from before a message is fetched again', async () => {
  const responses: ((photos: Photo[]) => void)[] = []
  const fetchRecent = () => new Promise<Photo[]>((resolve) => responses.push(resolve))
  void queryClient.fetchQuery({ queryKey: photoKeys.recent(), queryFn: fetchRecent })
  await Promise.resolve()
  receive(added(2))
  responses[0]?.([samplePhoto(1)])
  await expect.poll(() => isStale(photoKeys.recent())).toBe(true)
})

describe('a part of all photos', () => {
  test.each([
    ['newer than it when it begins with the newest', {}, 9, true],
    ['newer than it when there are others between', { newer: 'photo5' }, 9, false],
    ['between its photos', { newer: 'photo5', older: 'photo2' }, 4, true],
    ['older than it when there are others between', { older: 'photo2' }, 1, false],
    ['older than it when it ends with the oldest', {}, 1, true],
  ])('with a new photo that is %s', (_, fields, number, isListed) => {
    setWindow([samplePhoto(5), samplePhoto(2)], fields)
    receive(added(number))
    expect(ids(list())?.includes(`photo${number}`)).toBe(isListed)
  })

  test('that was searched for gets only photos with that name', () => {
    setWindow([], {}, 'img_4007')
    receive(added(6), added(7))
    expect(ids(list('img_4007'))).toEqual(['photo7'])
  })
})

describe('messages that came together', () => {
  test('are applied in their order, and each query is written once', () => {
    fill(samplePhoto(3), samplePhoto(2), samplePhoto(1))
    const written = vi.fn<() => void>()
    const stop = queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryKey[1] === 'list') written()
    })
    receive(
      added(4),
      { action: 'photo_update', photo: samplePhoto(4, { hidden: true }) },
      deleted(2),
      { action: 'photo_update', photo: samplePhoto(2) },
      added(5),
      deleted(5),
      deleted(3),
    )
    stop()
    expect([ids(list()), ids(recent()), latest()?.id]).toEqual([['photo4', 'photo1'], ['photo4', 'photo1'], 'photo4'])
    expect(list()?.[0]?.hidden).toBe(true)
    expect(written).toHaveBeenCalledTimes(1)
  })

  test('leave photos that did not change the same objects', () => {
    const [first, second] = [samplePhoto(2), samplePhoto(1)]
    fill(first, second)
    const before = list()
    receive({ action: 'photo_update', photo: samplePhoto(1) })
    expect(list()).toBe(before)
    receive({ action: 'photo_update', photo: samplePhoto(1, { hidden: true }) })
    expect(list()?.[0]).toBe(first)
  })
})

test('what changed meanwhile is added, replaced and removed, and does not become the latest photo', () => {
  fill(samplePhoto(5), samplePhoto(3), samplePhoto(1))
  applyPhotoChanges(queryClient, [samplePhoto(4), samplePhoto(3, { hidden: true })], ['photo1', 'photo9'])
  expect([ids(list()), latest()?.id]).toEqual([['photo5', 'photo4', 'photo3'], 'photo5'])
  expect(list()?.[2]?.hidden).toBe(true)
})

test('messages about other things change nothing', () => {
  fill(samplePhoto(1))
  for (const action of ['identified', 'test', 'ping', 'pong'] as const) receive({ action })
  expect(ids(recent())).toEqual(['photo1'])
})

describe('hiding a photo from guests', () => {
  test('fetches the latest photo, and showing it again makes it the latest at once', () => {
    fill(samplePhoto(2), samplePhoto(1))
    receive({ action: 'photo_update', photo: samplePhoto(2, { hidden: true }) })
    expect([latest()?.hidden, isStale(photoKeys.latest())]).toEqual([true, true])
    queryClient.setQueryData(photoKeys.latest(), samplePhoto(1))
    receive({ action: 'photo_update', photo: samplePhoto(2) })
    expect(latest()?.id).toBe('photo2')
    queryClient.setQueryData(photoKeys.latest(), null)
    receive({ action: 'photo_update', photo: samplePhoto(2) })
    expect(latest()?.id).toBe('photo2')
  })

  test('marks it when only the latest photo is known, and does nothing when it is not known', () => {
    setCachedPhotoHidden(queryClient, 'photo9', true)
    expect([latest(), recent()]).toEqual([undefined, undefined])
    queryClient.setQueryData(photoKeys.latest(), samplePhoto(7))
    setCachedPhotoHidden(queryClient, 'photo7', true)
    expect(latest()?.hidden).toBe(true)
  })
})

test('a photo is found by its id in the lists and among single photos, with what was changed last', () => {
  fill(samplePhoto(2), samplePhoto(1))
  expect(cachedPhoto(queryClient, 'photo1')?.hidden).toBe(false)
  receive({ action: 'photo_update', photo: samplePhoto(1, { hidden: true }) })
  expect(cachedPhoto(queryClient, 'photo1')?.hidden).toBe(true)
  expect(cachedPhoto(queryClient, 'photo9')).toBeUndefined()
})

describe('many photos', () => {
  test('are removed from every list at once, and the newest that is left is the latest', () => {
    fill(samplePhoto(4), samplePhoto(3), samplePhoto(2), samplePhoto(1))
    queryClient.setQueryData(photoKeys.one('photo4'), samplePhoto(4))
    removePhotos(queryClient, new Set(['photo4', 'photo2']))
    expect([ids(recent()), ids(list())]).toEqual([
      ['photo3', 'photo1'],
      ['photo3', 'photo1'],
    ])
    expect([latest()?.id, isStale(photoKeys.latest()), cachedPhoto(queryClient, 'photo4')]).toEqual([
      'photo3',
      true,
      undefined,
    ])
  })

  test('are hidden and shown in every list', () => {
    fill(samplePhoto(3), samplePhoto(2), samplePhoto(1))
    setCachedPhotosHidden(queryClient, new Set(['photo3', 'photo1']), true)
    expect(recent()?.map(({ hidden }) => hidden)).toEqual([true, false, true])
    expect([cachedPhoto(queryClient, 'photo1')?.hidden, latest()?.hidden, isStale(photoKeys.latest())]).toEqual([
      true,
      true,
      true,
    ])
    queryClient.setQueryData(photoKeys.latest(), samplePhoto(2))
    setCachedPhotosHidden(queryClient, new Set(['photo3', 'photo1']), false)
    expect([recent()?.map(({ hidden }) => hidden), latest()?.id]).toEqual([[false, false, false], 'photo3'])
  })
})
