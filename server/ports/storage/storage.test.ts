import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { checkKey, storeStream, type StagedObject } from './storage.ts'

const key = `full/${'a'.repeat(22)}`

test('a key is a kind and 22 characters of base 62; it is returned', () => {
  expect(checkKey(key)).toBe(key)
})

test.each([
  '',
  'full',
  `full/${'a'.repeat(21)}`,
  `../${'a'.repeat(22)}`,
  `full/${'a'.repeat(21)}.`,
  `Full/${'a'.repeat(22)}`,
])('%j is refused as a key', (name) => {
  expect(() => checkKey(name)).toThrow('not a storage key')
})

/** A storage that records its calls; `commit` can be made to fail. */
function createRecorder(commit: () => Promise<void> = async () => {}) {
  const calls: string[] = []
  const staged: StagedObject = {
    bytes: 5,
    linkTo: async () => {},
    async commit(committedKey, { type }) {
      calls.push(`commit ${committedKey} ${type}`)
      await commit()
    },
    discard: async () => void calls.push('discard'),
  }
  return { calls, storage: { stage: async () => (calls.push('stage'), staged) } }
}

test('a stream is staged, committed under its key and no longer staged; the result is its length', async () => {
  const { calls, storage } = createRecorder()
  expect(await storeStream(storage, key, { source: Readable.from([]), type: 'image/jpeg' })).toBe(5)
  expect(calls).toEqual(['stage', `commit ${key} image/jpeg`, 'discard'])
})

test('a stream that cannot be committed is discarded', async () => {
  const { calls, storage } = createRecorder(() => Promise.reject(new Error('full')))
  await expect(storeStream(storage, key, { source: Readable.from([]), type: 'image/jpeg' })).rejects.toThrow('full')
  expect(calls.at(-1)).toBe('discard')
})

test('a stream with an invalid key is not received', async () => {
  const { calls, storage } = createRecorder()
  await expect(storeStream(storage, '../x', { source: Readable.from([]), type: 'image/jpeg' })).rejects.toThrow('key')
  expect(calls).toEqual([])
})
