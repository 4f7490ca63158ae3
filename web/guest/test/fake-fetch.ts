import { beforeEach, vi } from 'vitest'
import type { GuestPage } from '@keepsnap/contract/rendering.ts'
import { enhance } from '../script/enhance.ts'
import { show } from './samples.ts'

type Answer = Response | Promise<Response> | null

export interface FakeFetch {
  /** Calls so far. */
  calls: { path: string; body: unknown }[]
  /** Calls that count a visit, which are answered with 204. */
  visits: string[]
  /** Queues responses: the last one is repeated; null rejects as if the device were offline. */
  answer(...answers: Answer[]): void
}

/** Replaces `fetch` and image decoding, which happy-dom lacks, in each test of the file. */
export function useFakeFetch(): FakeFetch {
  let answers: Answer[] = []
  const server: FakeFetch = { calls: [], visits: [], answer: (...next) => (answers = next) }
  beforeEach(() => {
    server.calls = []
    server.visits = []
    answers = []
    const fakeFetch = async (path: string, options?: { body?: string }): Promise<Response> => {
      if (path.includes('/visits?')) {
        server.visits.push(path)
        return new Response(null, { status: 204 })
      }
      server.calls.push({ path, body: options?.body ? JSON.parse(options.body) : undefined })
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      if (!answer) throw new TypeError('Failed to fetch')
      return (await answer).clone()
    }
    vi.stubGlobal('fetch', vi.fn(fakeFetch))
    vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue()
  })
  return server
}

export const json = (status: number, body: unknown): Response => Response.json(body, { status })

/** Shows a page and runs its script. */
export function open(page: GuestPage): HTMLElement {
  const main = show(page)
  enhance(main)
  return main
}
