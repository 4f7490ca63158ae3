import { describe, expect, test, vi } from 'vitest'
import type { SubscriptionStatus } from '@keepsnap/contract/subscriptions.ts'
import { type PlanId, plans } from '@keepsnap/contract/plans.ts'
import { ApiError, NetworkError } from '../../lib/api-errors.ts'
import { planStatusOf, samplePhoto } from '../../test/samples.ts'
import { flush, pickedFile, useUploadTest } from '../../test/upload-test.ts'
import { beforeReloadEvent } from '../../lib/reload.ts'

describe('over limit uploads', () => {
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

  test('keep the event that they were chosen for over a reload', async () => {
    queue.uploads.add([pickedFile('a'), pickedFile('b')], 'event2')
    await queue.requestFor('a').fail(quotaExceeded)
    await reload()
    expect(queue.uploads.state().items.map(({ file, event }) => [file.name, event])).toEqual([['a', 'event2']])
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

describe('uploads', () => {
  const queue = useUploadTest()

  const isPrevented = (eventName: string) => !queue.page.dispatchEvent(new Event(eventName, { cancelable: true }))
  /** Whether closing the page asks the user first. */
  const asksBeforeLeaving = () => isPrevented('beforeunload')

  describe('a single file', () => {
    test('is uploaded when it is started, and reports its progress and its photo', async () => {
      queue.add('a.jpg')
      expect([queue.states(), queue.uploads.state().singleUploadId, queue.requests]).toEqual([
        ['a.jpg selected'],
        queue.idOf('a.jpg'),
        [],
      ])
      queue.uploads.start(queue.idOf('a.jpg'))
      expect(queue.states()).toEqual(['a.jpg uploading'])
      queue.requestFor('a.jpg').options.onProgress?.(0.5)
      expect(queue.uploads.state().items[0]?.state).toEqual({ status: 'uploading', progress: 0.5 })
      await queue.requestFor('a.jpg').succeed(samplePhoto(7))
      expect(queue.uploads.state().items[0]?.state).toEqual({ status: 'uploaded', photoId: 'photo7' })
      expect(queue.onUploaded).toHaveBeenCalledWith(samplePhoto(7))
    })

    test('can be removed during its upload, which is aborted', async () => {
      queue.add('a.jpg')
      queue.uploads.start(queue.idOf('a.jpg'))
      const revoked = vi.spyOn(URL, 'revokeObjectURL')
      queue.uploads.remove(queue.idOf('a.jpg'))
      await flush()
      expect(revoked).toHaveBeenCalledTimes(1)
      const { items, singleUploadId } = queue.uploads.state()
      expect([items, queue.requestFor('a.jpg').options.signal?.aborted, singleUploadId]).toEqual([[], true, null])
    })

    test('is started when another file is added', () => {
      queue.add('a.jpg')
      queue.add('b.jpg')
      expect([queue.states(), queue.uploads.state().singleUploadId]).toEqual([
        ['a.jpg uploading', 'b.jpg uploading'],
        null,
      ])
    })

    test('is not sent without a session', () => {
      queue.token = null
      queue.add('a.jpg')
      queue.uploads.start(queue.idOf('a.jpg'))
      expect(queue.uploads.state().items[0]?.state).toEqual({ status: 'failed', problem: { kind: 'signed-out' } })
    })
  })

  describe('several files', () => {
    test('are rejected without a request when they are not images', () => {
      queue.uploads.add([pickedFile('a'), { ...pickedFile('notes.txt'), isImage: false }])
      expect(queue.states()).toEqual(['a uploading', 'notes.txt rejected'])
    })

    test('are at most five hundred', () => {
      expect(queue.uploads.add(Array.from({ length: 503 }, (_, index) => pickedFile(`${index}`)))).toBe(3)
      expect(queue.uploads.state().items).toHaveLength(500)
    })
  })

  describe('a file that is chosen again', () => {
    const file = new File(['picture'], 'a', { type: 'image/jpeg', lastModified: 1 })
    const choose = (...files: File[]) => queue.uploads.add(files.map((chosen) => ({ file: chosen, isImage: true })))
    const stateOf = (index: number) => queue.uploads.state().items[index]?.state

    test('is not sent again, says when it was uploaded, also after it has left the list, and can be sent again', async () => {
      choose(file, new File(['b'], 'b'))
      await queue.requestFor('a').succeed(samplePhoto(1))
      await queue.requestFor('b').succeed(samplePhoto(2))
      queue.uploads.removeFromList([queue.idOf('a')])
      const changed = new File(['picture'], 'a', { type: 'image/jpeg', lastModified: 2 })
      choose(file, changed)
      expect(queue.states()).toEqual(['b uploaded', 'a sent-before', 'a uploading'])
      expect(stateOf(1)).toEqual({ status: 'sent-before', at: samplePhoto(1).created_at })
      await queue.requestFor('a').succeed(samplePhoto(3))
      expect(asksBeforeLeaving()).toBe(false)
      queue.uploads.uploadAllAgain()
      expect(queue.states()).toEqual(['b uploaded', 'a uploading', 'a uploaded'])
      expect(queue.requests).toHaveLength(4)
      expect(new Set(queue.requests.map(({ options }) => options.idempotencyKey)).size).toBe(4)
    })

    test('is in the list once while it waits, and goes up when the first one has failed', async () => {
      choose(file, file)
      expect(stateOf(1)).toEqual({ status: 'sent-before', at: null })
      await queue.requestFor('a').fail(new ApiError(500, { code: 'server_error', detail: 'x' }))
      choose(file)
      expect(queue.states()).toEqual(['a failed', 'a sent-before', 'a uploading'])
    })

    test('alone, waits for its button as every single file, unless more are added', async () => {
      choose(file)
      queue.uploads.start(queue.idOf('a'))
      await queue.requestFor('a').succeed(samplePhoto(1))
      queue.uploads.removeFromList([queue.idOf('a')])
      choose(file)
      expect(stateOf(0)).toEqual({ status: 'selected', sentAt: samplePhoto(1).created_at })
      choose(new File(['b'], 'b'))
      expect(queue.states()).toEqual(['a sent-before', 'b uploading'])
      queue.uploads.retry(queue.idOf('a'))
      expect(queue.states()).toEqual(['a uploading', 'b uploading'])
    })

    const keyOf = (name: string) => queue.requestFor(name).options.idempotencyKey
    /** Reloads the page, which no longer knows what was sent, and chooses the same file and another one. */
    const chooseAfterReload = () => {
      localStorage.clear()
      queue.requests = []
      queue.openPage().setOwner({ id: 'anna' })
      choose(new File(['picture'], 'a', { type: 'image/jpeg', lastModified: 1 }), new File(['b'], 'b'))
    }

    test('after a reload has the same key, by which the server knows it, and another one when it is sent again', async () => {
      choose(file, new File(['b'], 'b'))
      const key = keyOf('a')
      await queue.requestFor('a').succeed(samplePhoto(1))
      chooseAfterReload()
      expect(keyOf('a')).toBe(key)
      queue.onUploaded.mockClear()
      await queue.requestFor('a').repeat(samplePhoto(1))
      expect(stateOf(0)).toEqual({ status: 'sent-before', at: samplePhoto(1).created_at })
      expect(queue.onUploaded).not.toHaveBeenCalled()
      queue.uploads.retry(queue.idOf('a'))
      expect(keyOf('a')).not.toBe(key)
      await queue.requestFor('a').succeed(samplePhoto(2))
      expect(stateOf(0)).toEqual({ status: 'uploaded', photoId: 'photo2' })
    })

    test.each([
      ['was deleted', new ApiError(409, { code: 'conflict', detail: 'Deleted.' })],
      ['is of another file', new ApiError(422, { detail: [{ loc: ['header', 'Idempotency-Key'], msg: 'Other.' }] })],
    ])('goes up as another photo when the photo of its key %s', async (_, refusal) => {
      chooseAfterReload()
      const key = keyOf('a')
      await queue.requestFor('a').fail(refusal)
      expect(queue.states()).toEqual(['a uploading', 'b uploading'])
      expect(keyOf('a')).not.toBe(key)
      // It cannot be due to an earlier page a second time.
      await queue.requestFor('a').fail(refusal)
      expect(queue.states()[0]).toMatch(/^a (failed|rejected)$/)
    })

    test('is this upload itself when an attempt before had no answer', async () => {
      choose(file, new File(['b'], 'b'))
      await queue.requestFor('a').fail(new NetworkError('unreachable'))
      queue.uploads.retry(queue.idOf('a'))
      await queue.requestFor('a').repeat(samplePhoto(1))
      expect(stateOf(0)).toEqual({ status: 'uploaded', photoId: 'photo1' })
    })

    test('alone, after a reload goes up as another photo', async () => {
      choose(file)
      queue.uploads.start(queue.idOf('a'))
      const key = keyOf('a')
      await queue.requestFor('a').repeat(samplePhoto(1))
      expect(keyOf('a')).not.toBe(key)
      await queue.requestFor('a').succeed(samplePhoto(2))
      expect(stateOf(0)).toEqual({ status: 'uploaded', photoId: 'photo2' })
    })

    test.each(['x'.repeat(300), 'Fête d’été 👩‍👩‍👧.jpg', '\ud800'])('has a key that a header can have: %s', (name) => {
      choose(new File(['a'], name), new File(['b'], 'b'))
      expect(queue.requests[0]!.options.idempotencyKey).toMatch(/^file-1-[0-9a-f]{1,8}-[0-9a-f]{1,8}$/)
    })

    test('by another user is sent', async () => {
      choose(file, new File(['b'], 'b'))
      await queue.requestFor('a').succeed(samplePhoto(1))
      queue.uploads.setOwner(null)
      queue.uploads.setOwner({ id: 'bram' })
      choose(file, new File(['c'], 'c'))
      expect(queue.states()).toEqual(['a uploading', 'c uploading'])
    })
  })

  describe('a change of the session', () => {
    test('puts uploads back into the queue until the same user signs in again', async () => {
      queue.add('a', 'b')
      queue.uploads.setOwner(null)
      await flush()
      expect(queue.states()).toEqual(['a queued', 'b queued'])
      queue.uploads.setOwner({ id: 'anna' })
      expect(queue.states()).toEqual(['a uploading', 'b uploading'])
    })

    test('repeats an upload under the same key when its token was replaced meanwhile', async () => {
      const signedOut = new ApiError(401, { code: 'unauthorized', detail: 'Please sign in.' })
      queue.add('a', 'b')
      const first = queue.requestFor('a')
      queue.token = 'second'
      await first.fail(signedOut)
      expect(queue.states()).toEqual(['a uploading', 'b uploading'])
      expect(queue.requestFor('a')).not.toBe(first)
      expect(queue.requestFor('a').options.idempotencyKey).toBe(first.options.idempotencyKey)
      await queue.requestFor('a').fail(signedOut)
      expect(queue.uploads.state().items[0]?.state).toEqual({ status: 'failed', problem: { kind: 'signed-out' } })
      expect(queue.requests.map(({ name }) => name)).toEqual(['a', 'b', 'a'])
      queue.token = null
      await queue.requestFor('b').fail(signedOut)
      expect(queue.states()).toEqual(['a failed', 'b failed'])
    })

    test('empties the queue when another user signs in, and keeps the saved files of the first', async () => {
      queue.add('a', 'b')
      await queue.requestFor('a').fail(new ApiError(403, { code: 'quota_photos', detail: 'Full.' }))
      queue.uploads.setOwner(null)
      queue.uploads.setOwner({ id: 'bram' })
      await flush()
      expect(queue.states()).toEqual([])
      expect(Array.from(queue.saved.values(), (upload) => upload.owner)).toEqual(['anna'])
    })
  })

  test('closing the page asks the user while a file is selected or has failed, and the app does not reload by itself', async () => {
    queue.add('a')
    expect([asksBeforeLeaving(), isPrevented(beforeReloadEvent)]).toEqual([true, true])
    queue.uploads.start(queue.idOf('a'))
    await queue.requestFor('a').fail(new NetworkError('unreachable'))
    expect(queue.states()).toEqual(['a failed'])
    expect([asksBeforeLeaving(), isPrevented(beforeReloadEvent)]).toEqual([true, true])
    queue.uploads.remove(queue.idOf('a'))
    expect([asksBeforeLeaving(), isPrevented(beforeReloadEvent)]).toEqual([false, false])
  })

  test('the app may reload by itself when the uploads were stopped, after the user is asked', () => {
    queue.add('a', 'b')
    queue.uploads.setOwner(null)
    expect([asksBeforeLeaving(), isPrevented(beforeReloadEvent)]).toEqual([true, false])
  })
})
