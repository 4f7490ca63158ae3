import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import { plans, type PlanId } from '@keepsnap/contract/plans.ts'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../lib/api-errors.ts'
import { samplePhoto } from '../../../test/sample-photos.ts'
import { planStatusOf } from '../../../test/sample-plan-status.ts'
import { flush, pickedFile, useUploadTest } from './test/upload-test.ts'

const queue = useUploadTest()

function largeFile(name: string, size: number) {
  const large = pickedFile(name)
  Object.defineProperty(large.file, 'size', { value: size })
  return large
}

/** The status of the plan is fetched, and files for which there is room are queued. */
function fetchStatus(status: SubscriptionStatus) {
  queue.setStatus(status)
  return flush()
}

async function reload() {
  queue.openPage()
  queue.uploads.setOwner({ id: 'anna' })
  await flush()
}
const monthFull = (plan: PlanId) => planStatusOf(plan, { photos: plans[plan].features.max_photos, storageBytes: 0 })

describe('files over a limit of the plan', () => {
  const quotaExceeded = new ApiError(403, { code: 'quota_photos', detail: 'This month is full.' })
  const storageFull = new ApiError(403, { code: 'quota_storage', detail: 'The storage is full.' })

  test('are not sent, and outlive a reload', async () => {
    queue.add('a', 'b', 'c', 'd', 'e')
    await queue.requestFor('a').fail(quotaExceeded)
    expect(queue.states()).toEqual(['a over-limit', 'b uploading', 'c uploading', 'd over-limit', 'e over-limit'])
    expect(Array.from(queue.saved.values(), (upload) => upload.file.name)).toEqual(['a', 'd', 'e'])
    await reload()
    expect(queue.states()).toEqual(['a over-limit', 'd over-limit', 'e over-limit'])
    await fetchStatus(monthFull('free'))
    expect(queue.states()).toEqual(['a over-limit', 'd over-limit', 'e over-limit'])
  })

  test.each<[PlanId, PlanId, boolean]>([
    ['free', 'pro_monthly', false],
    ['free', 'pro_yearly', true],
    ['pro_monthly', 'pro_yearly', false],
  ])('are uploaded after a change from %s to %s, also after a reload: %s', async (before, after, isReloaded) => {
    queue.setStatus(monthFull(before))
    queue.add('a', 'b')
    await queue.requestFor('a').fail(quotaExceeded)
    if (isReloaded) await reload()
    await fetchStatus(monthFull(before))
    queue.uploads.resume()
    await flush()
    expect(queue.states()[0]).toBe('a over-limit')
    await fetchStatus(planStatusOf(after, { photos: plans[before].features.max_photos, storageBytes: 0 }))
    expect(queue.states()[0]).toBe('a uploading')
    await queue.requestFor('a').succeed(samplePhoto(1))
    expect(queue.saved.size).toBe(0)
  })

  test('over the storage are uploaded when they fit, as after photos were deleted', async () => {
    const usedBytes = (storageBytes: number) => planStatusOf('free', { photos: 1, storageBytes })
    const storage = 1024 ** 3
    queue.setStatus(usedBytes(storage - 10))
    queue.uploads.add([largeFile('a', 100), largeFile('b', 20), largeFile('c', 1)])
    for (const name of ['a', 'b']) await queue.requestFor(name).fail(storageFull)
    await queue.requestFor('c').succeed(samplePhoto(1))
    expect(queue.states()).toEqual(['a over-limit', 'b over-limit', 'c uploaded'])
    await fetchStatus(usedBytes(storage - 19))
    expect(queue.states()).toEqual(['a over-limit', 'b over-limit', 'c uploaded'])
    await fetchStatus(usedBytes(storage - 20))
    expect(queue.states()).toEqual(['a over-limit', 'b uploading', 'c uploaded'])
  })

  test('are not sent when they exceed the maximum file size, until a plan allows it', async () => {
    queue.uploads.add([pickedFile('a'), largeFile('big', 50 * 1024 ** 2 + 1)])
    expect(queue.states()).toEqual(['a uploading', 'big over-limit'])
    await fetchStatus(planStatusOf('pro_monthly'))
    expect(queue.states()).toEqual(['a uploading', 'big uploading'])
  })

  test('wait until the plan is known, if some plan does not allow their size', async () => {
    queue.openPage()
    queue.uploads.setOwner({ id: 'anna' })
    queue.uploads.add([largeFile('big', 50 * 1024 ** 2 + 1), pickedFile('b'), largeFile('huge', 200 * 1024 ** 2)])
    expect(queue.states()).toEqual(['big queued', 'b uploading', 'huge queued'])
    queue.setStatus(planStatusOf('pro_monthly'))
    expect(queue.states()).toEqual(['big uploading', 'b uploading', 'huge over-limit'])
    expect(Array.from(queue.saved.values(), (upload) => upload.file.name)).toEqual(['huge'])
  })

  test('that the user or another tab has removed are dropped instead of being sent, also after a reload', async () => {
    queue.add('a', 'b', 'c', 'd')
    for (const name of ['a', 'b', 'c']) await queue.requestFor(name).fail(quotaExceeded)
    queue.uploads.remove(queue.idOf('a'))
    expect(queue.saved.size).toBe(3)
    queue.saved.delete(queue.idOf('b'))
    await fetchStatus(monthFull('free'))
    await reload()
    queue.saved.delete(queue.idOf('c'))
    await fetchStatus(planStatusOf('pro_monthly'))
    expect(queue.states()).toEqual(['d uploading'])
  })

  test('that could not be saved are sent', async () => {
    queue.isDatabaseFull = true
    queue.add('a', 'b')
    await queue.requestFor('a').fail(quotaExceeded)
    expect(queue.saved.size).toBe(0)
    await fetchStatus(planStatusOf('free'))
    expect(queue.states()).toEqual(['a uploading', 'b uploading'])
  })
})
