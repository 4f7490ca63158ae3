import type { ServerMessage } from '@keepsnap/contract/live.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { samplePhoto } from '../../test/photos.ts'
import { markHidden, receiveMessage } from './photo-cache.ts'
import { photoKeys, recentSize } from './queries.ts'

const photo = (number: number, facts: Partial<Photo> = {}) => samplePhoto(number, facts)
const ids = (photos: readonly Photo[] | undefined) => photos?.map(({ id }) => id)

let queries: QueryClient
beforeEach(() => {
  queries = new QueryClient()
})

const latest = () => queries.getQueryData<Photo | null>(photoKeys.latest)
const recent = () => queries.getQueryData<Photo[]>(photoKeys.recent)
const pages = () =>
  queries.getQueryData<{ pages: { photos: Photo[] }[] }>(photoKeys.list)?.pages.map((page) => ids(page.photos))
const hear = (message: ServerMessage) => receiveMessage(queries, message)
const isStale = (key: readonly string[]) => queries.getQueryState(key)?.isInvalidated === true

function know(...known: Photo[]) {
  queries.setQueryData(photoKeys.latest, known[0] ?? null)
  queries.setQueryData(photoKeys.recent, known.slice(0, recentSize))
  queries.setQueryData(photoKeys.list, {
    pages: [
      { photos: known.slice(0, 2), next: known[1]?.id ?? null },
      { photos: known.slice(2), next: null },
    ],
    pageParams: [null, known[1]?.id],
  })
}

describe('a new photo', () => {
  test('is the latest, and stands first in every list', () => {
    know(photo(3), photo(2), photo(1))
    hear({ action: 'new_photo', type: 'photo_added', photo: photo(4) })
    expect(latest()?.id).toBe('photo4')
    expect(ids(recent())).toEqual(['photo4', 'photo3', 'photo2', 'photo1'])
    expect(pages()).toEqual([['photo4', 'photo3', 'photo2'], ['photo1']])
  })

  test('is the first of all', () => {
    know()
    hear({ action: 'new_photo', type: 'photo_added', photo: photo(1) })
    expect([latest()?.id, ids(recent()), pages()]).toEqual(['photo1', ['photo1'], [['photo1'], []]])
  })

  test('that is told late takes its own place and not the stage', () => {
    know(photo(3), photo(1))
    hear({ action: 'new_photo', type: 'photo_added', photo: photo(2) })
    expect([latest()?.id, ids(recent())]).toEqual(['photo3', ['photo3', 'photo2', 'photo1']])
  })

  test('told twice is one photo', () => {
    know(photo(1))
    for (let times = 0; times < 2; times++) hear({ action: 'new_photo', type: 'photo_added', photo: photo(2) })
    expect([ids(recent()), pages()]).toEqual([
      ['photo2', 'photo1'],
      [['photo2', 'photo1'], []],
    ])
  })

  test('does not make the few of the stage many', () => {
    know(...Array.from({ length: recentSize }, (_, at) => photo(recentSize - at)))
    hear({ action: 'new_photo', type: 'photo_added', photo: photo(99) })
    expect(recent()).toHaveLength(recentSize)
  })

  test('is no list where none was asked for', () => {
    hear({ action: 'new_photo', type: 'photo_added', photo: photo(1) })
    expect([latest()?.id, recent(), pages()]).toEqual(['photo1', undefined, undefined])
  })
})

describe('a changed photo', () => {
  test('changes wherever it is shown', () => {
    know(photo(2), photo(1))
    hear({ action: 'photo_update', photo: photo(2, { thumbnail_url: 'http://keepsnap.test/t/new' }) })
    expect(latest()?.thumbnail_url).toBe('http://keepsnap.test/t/new')
    expect(recent()?.[0]?.thumbnail_url).toBe('http://keepsnap.test/t/new')
    expect(queries.getQueryData<Photo>(photoKeys.one('photo2'))?.thumbnail_url).toBe('http://keepsnap.test/t/new')
  })

  test('that is not the latest leaves the stage alone', () => {
    know(photo(2), photo(1))
    hear({ action: 'photo_update', photo: photo(1, { filename: 'other.jpg' }) })
    expect([latest()?.id, recent()?.[1]?.filename]).toEqual(['photo2', 'other.jpg'])
  })
})

describe('what is latest after a connect', () => {
  test('changes nothing when nothing was missed', () => {
    know(photo(2), photo(1))
    hear({ action: 'latest_photo', photo: photo(2) })
    expect([isStale(photoKeys.recent), isStale(photoKeys.list)]).toEqual([false, false])
  })

  test('has the lists asked for again when they missed something', () => {
    know(photo(2), photo(1))
    hear({ action: 'latest_photo', photo: photo(5) })
    expect([latest()?.id, isStale(photoKeys.recent), isStale(photoKeys.list)]).toEqual(['photo5', true, true])
  })
})

describe('a deleted photo', () => {
  test('leaves every list', () => {
    know(photo(3), photo(2), photo(1))
    hear({ action: 'photo_deleted', type: 'photo_deleted', id: 'photo2' })
    expect([ids(recent()), pages()]).toEqual([
      ['photo3', 'photo1'],
      [['photo3'], ['photo1']],
    ])
    expect(isStale(photoKeys.latest)).toBe(false)
  })

  test('leaves the stage to the one before, until the server has spoken', () => {
    know(photo(3), photo(2))
    hear({ action: 'photo_deleted', type: 'photo_deleted', id: 'photo3' })
    expect([latest()?.id, isStale(photoKeys.latest)]).toEqual(['photo2', true])
  })

  test('that was the only one leaves the stage to what the server says', () => {
    know(photo(1))
    hear({ action: 'photo_deleted', type: 'photo_deleted', id: 'photo1' })
    expect(isStale(photoKeys.latest)).toBe(true)
  })
})

test('an answer from before the news does not undo it', async () => {
  const answers: ((photos: Photo[]) => void)[] = []
  const ask = () => new Promise<Photo[]>((resolve) => answers.push(resolve))
  void queries.fetchQuery({ queryKey: photoKeys.recent, queryFn: ask })
  await Promise.resolve()
  hear({ action: 'new_photo', type: 'photo_added', photo: photo(2) })
  answers[0]?.([photo(1)])
  await expect.poll(() => isStale(photoKeys.recent)).toBe(true)
})

test('other messages change nothing', () => {
  know(photo(1))
  for (const action of ['identified', 'test', 'ping', 'pong'] as const) hear({ action })
  expect(ids(recent())).toEqual(['photo1'])
})

describe('a photo that is hidden from guests', () => {
  test('is marked wherever it is known', () => {
    know(photo(2), photo(1))
    markHidden(queries, 'photo2', true)
    expect([latest()?.hidden, recent()?.[0]?.hidden, recent()?.[1]?.hidden]).toEqual([true, true, false])
    expect(queries.getQueryData<{ pages: { photos: Photo[] }[] }>(photoKeys.list)?.pages[0]?.photos[0]?.hidden).toBe(
      true,
    )
    markHidden(queries, 'photo2', false)
    expect(latest()?.hidden).toBe(false)
  })

  test('is marked when only the stage knows it', () => {
    queries.setQueryData(photoKeys.latest, photo(7))
    markHidden(queries, 'photo7', true)
    expect(latest()?.hidden).toBe(true)
  })

  test('is nothing where nobody knows it', () => {
    markHidden(queries, 'photo9', true)
    expect([latest(), recent()]).toEqual([undefined, undefined])
  })
})
