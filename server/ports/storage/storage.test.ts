import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { checkKey, storeStream, type StagedObject } from './storage.ts'

const key = `full/${'a'.repeat(22)}`

test('a key is a kind and 22 characters of base 62', () => {
  expect(checkKey(key)).toBe(key)
  for (const name of [
    '',
    'full',
    `full/${'a'.repeat(21)}`,
    `../${'a'.repeat(22)}`,
    `full/${'a'.repeat(21)}.`,
    `Full/${'a'.repeat(22)}`,
    `/${key}`,
    `${key}/x`,
  ])
    expect(() => checkKey(name)).toThrow('not a storage key')
})

test('a stream that cannot be committed is discarded', async () => {
  let discarded = 0
  const staged: StagedObject = {
    bytes: 5,
    linkTo: async () => {},
    commit: () => Promise.reject(new Error('full')),
    discard: async () => void discarded++,
  }
  const storing = storeStream({ stage: async () => staged }, key, { source: Readable.from([]), type: 'image/jpeg' })
  await expect(storing).rejects.toThrow('full')
  expect(discarded).toBe(1)
})
