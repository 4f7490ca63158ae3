import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { describe, expect, test } from 'vitest'
import { sampleRequest } from '../../test/requests.ts'
import type { RequestPages } from './queries.ts'
import { merged } from './request-pages.ts'

const counts = { total: 4, sent: 4, failed: 0 }
const pages = (next: string | null): RequestPages => ({
  pages: [
    { requests: [sampleRequest(8), sampleRequest(6)], counts, next: 'request6' },
    { requests: [sampleRequest(4), sampleRequest(2)], counts, next },
  ],
  pageParams: [null, 'request6'],
})
const after = (news: PhotoRequest[], next: string | null = null) => {
  const { pages: now, isWhole } = merged(pages(next), news)
  return {
    ids: now.pages.map(({ requests }) => requests.map(({ id }) => Number(id.slice('request'.length)))),
    counts: now.pages.at(-1)?.counts,
    isWhole,
  }
}

describe('news of a request', () => {
  test('stands first when it is the newest, and is counted', () => {
    expect(after([sampleRequest(9, { state: 'queued' })])).toEqual({
      ids: [
        [9, 8, 6],
        [4, 2],
      ],
      counts: { total: 5, sent: 4, failed: 0 },
      isWhole: true,
    })
  })

  test('that comes late takes its own place', () => {
    expect(after([sampleRequest(5)]).ids).toEqual([
      [8, 6],
      [5, 4, 2],
    ])
    expect(after([sampleRequest(1)]).ids).toEqual([
      [8, 6],
      [4, 2, 1],
    ])
  })

  test('changes it where it stands, and the counts', () => {
    const { ids, counts: now } = after([sampleRequest(4, { state: 'failed' })])
    expect(ids).toEqual([
      [8, 6],
      [4, 2],
    ])
    expect(now).toEqual({ total: 4, sent: 3, failed: 1 })
  })

  test('told twice counts once', () => {
    expect(after([sampleRequest(9), sampleRequest(9)]).counts).toEqual({ total: 5, sent: 5, failed: 0 })
  })

  test('further down than what is loaded changes nothing, and says so', () => {
    const { ids, counts: now, isWhole } = after([sampleRequest(1, { state: 'failed' })], 'request2')
    expect([ids.flat(), now, isWhole]).toEqual([[8, 6, 4, 2], counts, false])
  })

  test('fills an empty list', () => {
    const empty = {
      pages: [{ requests: [], counts: { total: 0, sent: 0, failed: 0 }, next: null }],
      pageParams: [null],
    }
    expect(merged(empty, [sampleRequest(1)]).pages.pages[0]?.counts.total).toBe(1)
  })
})
