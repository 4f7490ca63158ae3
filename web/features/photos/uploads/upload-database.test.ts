import { describe, expect, test } from 'vitest'
import { fromStored, openUploadDatabase, toStored, type SavedUpload, type StoredUpload } from './upload-database.ts'

const file = new File(['picture'], 'a.jpg', { type: 'image/jpeg' })
const since = Date.parse('2026-11-20T10:00Z')

/** The stored form, as written by every version of the app since the first one, and the same upload in memory. */
const cases: [string, StoredUpload, SavedUpload][] = [
  [
    'over the monthly quota',
    {
      id: 'upload-1',
      owner: 'anna',
      file,
      state: { at: 'held', problem: { kind: 'no-room', what: 'photos', detail: 'Full.' }, tier: 'free', since },
    },
    {
      id: 'upload-1',
      owner: 'anna',
      file,
      state: {
        status: 'over-limit',
        problem: { kind: 'quota-exceeded', quota: 'photos', detail: 'Full.' },
        tier: 'free',
        since,
      },
    },
  ],
  [
    'over the maximum file size',
    {
      id: 'upload-2',
      owner: 'anna',
      file,
      state: { at: 'held', problem: { kind: 'too-large', mostBytes: 52_428_800 }, tier: 'pro', since },
    },
    {
      id: 'upload-2',
      owner: 'anna',
      file,
      state: { status: 'over-limit', problem: { kind: 'too-large', maxBytes: 52_428_800 }, tier: 'pro', since },
    },
  ],
]

describe('the form of saved uploads in the browser', () => {
  test.each(cases)('can be read: a file %s', (_, stored, upload) => {
    expect(fromStored(stored)).toEqual(upload)
  })

  test.each(cases)('does not change: a file %s', (_, stored, upload) => {
    expect(toStored(upload)).toEqual(stored)
  })
})

test('a browser without a database saves nothing and reports no error', async () => {
  const database = openUploadDatabase()
  await database.save({
    id: 'upload-1',
    owner: 'anna',
    file,
    state: { status: 'over-limit', problem: { kind: 'too-large', maxBytes: 1 }, tier: 'free', since },
  })
  await database.remove(['upload-1'])
  expect(await database.ofOwner('anna')).toEqual([])
})
