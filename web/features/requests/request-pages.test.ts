import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { describe, expect, test } from 'vitest'
import { sampleRequest } from '../../test/sample-requests.ts'
import { mergeRequests, type RequestListPages } from './request-pages.ts'

const counts = { total: 4, sent: 4, failed: 0 }
const listOf = (next: string | null): RequestListPages => ({
  pages: [
    { requests: [sampleRequest(8), sampleRequest(6)], counts, next: 'request6' },
    { requests: [sampleRequest(4), sampleRequest(2)], counts, next },
  ],
  pageParams: [null, 'request6'],
})
const after = (changed: PhotoRequest[], next: string | null = null) => {
  const { list, isComplete } = mergeRequests(listOf(next), changed)
  return {
    numbers: list.pages.map(({ requests }) => requests.map(({ id }) => Number(id.slice('request'.length)))),
    counts: list.pages.at(-1)?.counts,
    isComplete,
  }
}

describe('merging requests into the list', () => {
  test('puts the newest request first and counts it', () => {
    expect(after([sampleRequest(9, { state: 'queued' })])).toEqual({
      numbers: [
        [9, 8, 6],
        [4, 2],
      ],
      counts: { total: 5, sent: 4, failed: 0 },
      isComplete: true,
    })
  })

  test('inserts an older request at its position', () => {
    expect(after([sampleRequest(5)]).numbers).toEqual([
      [8, 6],
      [5, 4, 2],
    ])
    expect(after([sampleRequest(1)]).numbers).toEqual([
      [8, 6],
      [4, 2, 1],
    ])
  })

  test('replaces a known request and updates the counts', () => {
    const { numbers, counts: updated } = after([sampleRequest(4, { state: 'failed' })])
    expect(numbers).toEqual([
      [8, 6],
      [4, 2],
    ])
    expect(updated).toEqual({ total: 4, sent: 3, failed: 1 })
  })

  test('counts a request once when it is merged twice', () => {
    expect(after([sampleRequest(9), sampleRequest(9)]).counts).toEqual({ total: 5, sent: 5, failed: 0 })
  })

  test('ignores a request older than the loaded pages, and reports an incomplete result', () => {
    const { numbers, counts: unchanged, isComplete } = after([sampleRequest(1, { state: 'failed' })], 'request2')
    expect([numbers.flat(), unchanged, isComplete]).toEqual([[8, 6, 4, 2], counts, false])
  })

  test('adds the first request to an empty list', () => {
    const empty = {
      pages: [{ requests: [], counts: { total: 0, sent: 0, failed: 0 }, next: null }],
      pageParams: [null],
    }
    expect(mergeRequests(empty, [sampleRequest(1)]).list.pages[0]?.counts.total).toBe(1)
  })
})
