import { expect, test } from 'vitest'
import { limits } from '@keepsnap/contract/limits.ts'
import { createUploadSlots } from './upload-slots.ts'

/** An upload that ends when it is told to, and whether it has begun. */
function openUpload() {
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  const upload = { hasBegun: false, finish, run: () => ((upload.hasBegun = true), promise) }
  return upload
}

/** Uploads of one user that use all slots. */
function useAllSlots(withUploadSlot: ReturnType<typeof createUploadSlots>, userId: string) {
  const uploads = Array.from({ length: limits.uploadsAtOncePerUser }, openUpload)
  const ended = Promise.all(uploads.map(({ run }) => withUploadSlot(userId, run)))
  return { uploads, ended }
}

test('an upload over the limit of its user waits for another one of that user', async () => {
  const withUploadSlot = createUploadSlots()
  const { uploads, ended } = useAllSlots(withUploadSlot, 'anna')
  const [waiting, ofOther] = [openUpload(), openUpload()]
  const waitingEnded = withUploadSlot('anna', waiting.run)
  const ofOtherEnded = withUploadSlot('ben', ofOther.run)
  await expect.poll(() => ofOther.hasBegun).toBe(true)
  expect([...uploads.map(({ hasBegun }) => hasBegun), waiting.hasBegun]).toEqual([...uploads.map(() => true), false])
  uploads[0]!.finish()
  await expect.poll(() => waiting.hasBegun).toBe(true)
  for (const { finish } of [...uploads, waiting, ofOther]) finish()
  await Promise.all([ended, waitingEnded, ofOtherEnded])
})

test('an upload that waits too long is refused, and the slots stay usable', async () => {
  const withUploadSlot = createUploadSlots({ maxWaitMs: 10 })
  const { uploads, ended } = useAllSlots(withUploadSlot, 'anna')
  const late = openUpload()
  await expect(withUploadSlot('anna', late.run)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 5 })
  for (const { finish } of uploads) finish()
  await ended
  expect(late.hasBegun).toBe(false)
  expect(await withUploadSlot('anna', async () => 'stored')).toBe('stored')
})

test('the hundred-and-first upload that would wait is refused at once', async () => {
  const withUploadSlot = createUploadSlots()
  const { uploads, ended } = useAllSlots(withUploadSlot, 'anna')
  const waiting = Array.from({ length: 100 }, () => withUploadSlot('anna', async () => {}))
  await expect(withUploadSlot('anna', async () => {})).rejects.toMatchObject({ code: 'rate_limited' })
  for (const { finish } of uploads) finish()
  await Promise.all([ended, ...waiting])
})

test('an upload that fails passes its error on and frees its slot', async () => {
  const withUploadSlot = createUploadSlots()
  for (let count = 0; count <= limits.uploadsAtOncePerUser; count++)
    await expect(withUploadSlot('anna', () => Promise.reject(new Error('no photo')))).rejects.toThrow('no photo')
})
