import { expect, test } from 'vitest'
import type { HttpRequest } from '../../http/http-types.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'
import { createBrandImageReceiver } from './receive-image.ts'

// The pools of these tests are never available, so that no request is read.
const request = {} as HttpRequest
const upload = { kind: 'logo', save: async () => 'saved' } as const

test('a third concurrent upload of a user is refused, until one of the others has ended', async () => {
  const pools: PromiseWithResolvers<ImagePool>[] = []
  const receive = createBrandImageReceiver(() => {
    const pool = Promise.withResolvers<ImagePool>()
    pools.push(pool)
    return pool.promise
  })
  const uploads = [receive('ann', request, upload), receive('ann', request, upload)]
  const outcomes = Promise.allSettled(uploads)
  await expect(receive('ann', request, upload)).rejects.toMatchObject({ code: 'rate_limited' })
  const otherUser = receive('ben', request, upload)
  const stopped = new Error('the image processes have been stopped')
  pools[0]?.reject(stopped)
  await expect(uploads[0]).rejects.toBe(stopped)
  const next = receive('ann', request, upload)
  expect(pools).toHaveLength(4)
  for (const pool of pools) pool.reject(stopped)
  for (const rejected of [otherUser, next]) await expect(rejected).rejects.toBe(stopped)
  await outcomes
})
