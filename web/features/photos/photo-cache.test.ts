import type { ServerMessage } from '@keepsnap/contract/live.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { samplePhoto } from '../../test/sample-photos.ts'
import {
  applyPhotoMessage,
  cachedPhoto,
  createPhotoMessages,
  removePhotos,
  setCachedPhotoHidden,
  setCachedPhotosHidden,
} from './photo-cache.ts'
import { photoKeys, recentPhotoCount } from './queries.ts'

const ids = (photos: readonly Photo[] | undefined) => photos?.map(({ id }) => id)

let queryClient: QueryClient
beforeEach(() => {
  queryClient = new QueryClient()
})

const latest = () => queryClient.getQueryData<Photo | null>(photoKeys.latest)
const recent = () => queryClient.getQueryData<Photo[]>(photoKeys.recent)
const pages = () =>
  queryClient.getQueryData<{ pages: { photos: Photo[] }[] }>(photoKeys.list)?.pages.map((page) => ids(page.photos))
const receive = (message: ServerMessage) => applyPhotoMessage(queryClient, message)
const isStale = (key: readonly string[]) => queryClient.getQueryState(key)?.isInvalidated === true

/** Fills all queries: the list has two photos on its first page, the others on its second. */
function fill(...photos: Photo[]) {
  queryClient.setQueryData(photoKeys.latest, photos[0] ?? null)
  queryClient.setQueryData(photoKeys.recent, photos.slice(0, recentPhotoCount))
  queryClient.setQueryData(photoKeys.list, {
    pages: [
      { photos: photos.slice(0, 2), next: photos[1]?.id ?? null },
      { photos: photos.slice(2), next: null },
    ],
    pageParams: [null, photos[1]?.id],
  })
}

describe('a new photo', () => {
  test('is the latest photo and the first of every list', () => {
    fill(samplePhoto(3), samplePhoto(2), samplePhoto(1))
    receive({ action: 'new_photo', type: 'photo_added', photo: samplePhoto(4) })
    expect(latest()?.id).toBe('photo4')
    expect(ids(recent())).toEqual(['photo4', 'photo3', 'photo2', 'photo1'])
    expect(pages()).toEqual([['photo4', 'photo3', 'photo2'], ['photo1']])
  })

  test('is inserted at its position when newer photos are known, and is not the latest', () => {
    fill(samplePhoto(3), samplePhoto(1))
    receive({ action: 'new_photo', type: 'photo_added', photo: samplePhoto(2) })
    expect([latest()?.id, ids(recent())]).toEqual(['photo3', ['photo3', 'photo2', 'photo1']])
  })

  test('is added once when its message arrives twice', () => {
    fill(samplePhoto(1))
    for (let times = 0; times < 2; times++) {
      receive({ action: 'new_photo', type: 'photo_added', photo: samplePhoto(2) })
    }
    expect([ids(recent()), pages()]).toEqual([
      ['photo2', 'photo1'],
      [['photo2', 'photo1'], []],
    ])
  })

  test('does not make the list of recent photos longer than its maximum', () => {
    fill(...Array.from({ length: recentPhotoCount }, (_, index) => samplePhoto(recentPhotoCount - index)))
    receive({ action: 'new_photo', type: 'photo_added', photo: samplePhoto(99) })
    expect(recent()).toHaveLength(recentPhotoCount)
  })

  test('is added to empty lists, but creates none that was not fetched', () => {
    receive({ action: 'new_photo', type: 'photo_added', photo: samplePhoto(1) })
    expect([latest()?.id, recent(), pages()]).toEqual(['photo1', undefined, undefined])
    fill()
    receive({ action: 'new_photo', type: 'photo_added', photo: samplePhoto(1) })
    expect([latest()?.id, ids(recent()), pages()]).toEqual(['photo1', ['photo1'], [['photo1'], []]])
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
    expect([isStale(photoKeys.recent), isStale(photoKeys.list)]).toEqual([false, false])
  })

  test.each([
    ['when they do not contain it', [samplePhoto(2), samplePhoto(1)]],
    ['when they are empty', []],
  ])('invalidates the lists %s', (_, known) => {
    fill(...known)
    receive({ action: 'latest_photo', photo: samplePhoto(5) })
    expect([latest()?.id, isStale(photoKeys.recent), isStale(photoKeys.list)]).toEqual(['photo5', true, true])
  })

  test.each([
    ['restarts a fetch in flight when it is news', samplePhoto(2, { filename: 'other.jpg' }), 2],
    ['does not restart a fetch in flight when it is known', samplePhoto(2), 1],
  ])('%s', async (_, photo, fetches) => {
    fill(samplePhoto(2), samplePhoto(1))
    const fetchRecent = vi.fn<() => Promise<Photo[]>>(() => new Promise(() => {}))
    const observer = new QueryObserver(queryClient, { queryKey: photoKeys.recent, queryFn: fetchRecent })
    const stop = observer.subscribe(() => {})
    receive({ action: 'latest_photo', photo })
    expect(fetchRecent).toHaveBeenCalledTimes(fetches)
    stop()
  })
})

describe('a deleted photo', () => {
  test('is removed from every list', () => {
    fill(samplePhoto(3), samplePhoto(2), samplePhoto(1))
    receive({ action: 'photo_deleted', type: 'photo_deleted', id: 'photo2' })
    expect([ids(recent()), pages()]).toEqual([
      ['photo3', 'photo1'],
      [['photo3'], ['photo1']],
    ])
    expect(isStale(photoKeys.latest)).toBe(false)
  })

  test('is replaced as the latest by the previous one, until the server has answered', () => {
    fill(samplePhoto(3), samplePhoto(2))
    receive({ action: 'photo_deleted', type: 'photo_deleted', id: 'photo3' })
    expect([latest()?.id, isStale(photoKeys.latest)]).toEqual(['photo2', true])
  })
})

test('a response from before a message is fetched again', async () => {
  const responses: ((photos: Photo[]) => void)[] = []
  const fetchRecent = () => new Promise<Photo[]>((resolve) => responses.push(resolve))
  void queryClient.fetchQuery({ queryKey: photoKeys.recent, queryFn: fetchRecent })
  await Promise.resolve()
  receive({ action: 'new_photo', type: 'photo_added', photo: samplePhoto(2) })
  responses[0]?.([samplePhoto(1)])
  await expect.poll(() => isStale(photoKeys.recent)).toBe(true)
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
    expect([latest()?.hidden, isStale(photoKeys.latest)]).toEqual([true, true])
    queryClient.setQueryData(photoKeys.latest, samplePhoto(1))
    receive({ action: 'photo_update', photo: samplePhoto(2) })
    expect(latest()?.id).toBe('photo2')
    queryClient.setQueryData(photoKeys.latest, null)
    receive({ action: 'photo_update', photo: samplePhoto(2) })
    expect(latest()?.id).toBe('photo2')
  })

  test('marks it in all queries', () => {
    fill(samplePhoto(2), samplePhoto(1))
    setCachedPhotoHidden(queryClient, 'photo2', true)
    expect([latest()?.hidden, recent()?.[0]?.hidden, recent()?.[1]?.hidden]).toEqual([true, true, false])
    const list = queryClient.getQueryData<{ pages: { photos: Photo[] }[] }>(photoKeys.list)
    expect(list?.pages[0]?.photos[0]?.hidden).toBe(true)
    setCachedPhotoHidden(queryClient, 'photo2', false)
    expect(latest()?.hidden).toBe(false)
  })

  test('marks it when only the latest photo is known, and does nothing when it is not known', () => {
    setCachedPhotoHidden(queryClient, 'photo9', true)
    expect([latest(), recent()]).toEqual([undefined, undefined])
    queryClient.setQueryData(photoKeys.latest, samplePhoto(7))
    setCachedPhotoHidden(queryClient, 'photo7', true)
    expect(latest()?.hidden).toBe(true)
  })
})

describe('a photo by its id', () => {
  test('is found in the lists and among single photos, with what was changed last', () => {
    fill(samplePhoto(3), samplePhoto(2), samplePhoto(1))
    expect(cachedPhoto(queryClient, 'photo1')?.hidden).toBe(false)
    receive({ action: 'photo_update', photo: samplePhoto(1, { hidden: true }) })
    expect(cachedPhoto(queryClient, 'photo1')?.hidden).toBe(true)
  })

  test('is not found after it was deleted, or when it is not known', () => {
    fill(samplePhoto(3), samplePhoto(2), samplePhoto(1))
    receive({ action: 'photo_deleted', type: 'photo_deleted', id: 'photo2' })
    expect([cachedPhoto(queryClient, 'photo2'), cachedPhoto(queryClient, 'photo9')]).toEqual([undefined, undefined])
  })
})

describe('many photos', () => {
  test('are removed from every list at once, and the newest that is left is the latest', () => {
    fill(samplePhoto(4), samplePhoto(3), samplePhoto(2), samplePhoto(1))
    queryClient.setQueryData(photoKeys.one('photo4'), samplePhoto(4))
    removePhotos(queryClient, new Set(['photo4', 'photo2']))
    expect([ids(recent()), pages()]).toEqual([
      ['photo3', 'photo1'],
      [['photo3'], ['photo1']],
    ])
    expect([latest()?.id, isStale(photoKeys.latest), cachedPhoto(queryClient, 'photo4')]).toEqual([
      'photo3',
      true,
      undefined,
    ])
  })

  test('are hidden and shown in every list', () => {
    fill(samplePhoto(3), samplePhoto(2), samplePhoto(1))
    setCachedPhotosHidden(queryClient, new Set(['photo3', 'photo1']), true)
    expect(recent()?.map(({ hidden }) => hidden)).toEqual([true, false, true])
    expect([cachedPhoto(queryClient, 'photo1')?.hidden, latest()?.hidden, isStale(photoKeys.latest)]).toEqual([
      true,
      true,
      true,
    ])
    queryClient.setQueryData(photoKeys.latest, samplePhoto(2))
    setCachedPhotosHidden(queryClient, new Set(['photo3', 'photo1']), false)
    expect([recent()?.map(({ hidden }) => hidden), latest()?.id]).toEqual([[false, false, false], 'photo3'])
  })

  test('in messages one after another are changed in two steps; messages about what is known change nothing', () => {
    vi.useFakeTimers()
    fill(...[5, 4, 3, 2, 1].map((number) => samplePhoto(number)))
    const messages = createPhotoMessages(queryClient)
    const written: unknown[] = []
    queryClient.getQueryCache().subscribe(({ type, query }) => type === 'updated' && written.push(query.queryKey[1]))
    for (const number of [5, 4, 3])
      messages.receive({ action: 'photo_deleted', type: 'photo_deleted', id: `photo${number}` })
    messages.receive({ action: 'photo_update', photo: samplePhoto(1, { hidden: true }) })
    expect(ids(recent())).toEqual(['photo4', 'photo3', 'photo2', 'photo1'])
    vi.advanceTimersByTime(100)
    expect(recent()?.map(({ id, hidden }) => [id, hidden])).toEqual([
      ['photo2', false],
      ['photo1', true],
    ])
    expect(written.filter((key) => key === 'list')).toHaveLength(3)
    vi.advanceTimersByTime(1_000)
    written.length = 0
    messages.receive({ action: 'photo_deleted', type: 'photo_deleted', id: 'photo5' })
    expect(written).toEqual([])
    vi.useRealTimers()
  })
})
