import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../lib/api-errors.ts'
import { samplePhoto } from '../../../test/sample-photos.ts'
import { flush, pickedFile, useUploadTest } from './test/upload-test.ts'

const queue = useUploadTest()

function largeFile(name: string, size: number) {
  const large = pickedFile(name)
  Object.defineProperty(large.file, 'size', { value: size })
  return large
}

describe('files over a limit of the plan', () => {
  const quotaExceeded = new ApiError(403, { code: 'quota_photos', detail: 'This month is full.' })

  test('are not sent, and outlive a reload', async () => {
    queue.add('a', 'b', 'c', 'd', 'e')
    await queue.requestFor('a').fail(quotaExceeded)
    expect(queue.states()).toEqual(['a over-limit', 'b uploading', 'c uploading', 'd over-limit', 'e over-limit'])
    expect(Array.from(queue.saved.values(), (upload) => upload.file.name)).toEqual(['a', 'd', 'e'])
    queue.openPage()
    queue.uploads.setOwner({ id: 'anna', tier: 'free' })
    await flush()
    expect(queue.states()).toEqual(['a over-limit', 'd over-limit', 'e over-limit'])
  })

  test('are uploaded after an upgrade', async () => {
    queue.add('a', 'b')
    await queue.requestFor('a').fail(quotaExceeded)
    queue.uploads.setOwner({ id: 'anna', tier: 'pro' })
    expect(queue.states()).toEqual(['a uploading', 'b uploading'])
    await queue.requestFor('a').succeed(samplePhoto(1))
    expect(queue.saved.size).toBe(0)
  })

  test('are uploaded after an upgrade and a reload', async () => {
    queue.add('a', 'b')
    await queue.requestFor('a').fail(quotaExceeded)
    queue.openPage()
    queue.uploads.setOwner({ id: 'anna', tier: 'pro' })
    await flush()
    expect(queue.states()).toEqual(['a uploading'])
  })

  test('are not sent when they exceed the maximum file size', () => {
    queue.uploads.add([pickedFile('a'), largeFile('big', 50 * 1024 ** 2 + 1)])
    expect(queue.states()).toEqual(['a uploading', 'big over-limit'])
  })

  test('are deleted from the browser when the user removes them', async () => {
    queue.add('a', 'b')
    await queue.requestFor('a').fail(quotaExceeded)
    queue.uploads.remove(queue.idOf('a'))
    expect(queue.saved.size).toBe(0)
  })
})
