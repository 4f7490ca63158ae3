import { describe, expect, test } from 'vitest'
import { fromStored, openUploadDatabase, type SavedUpload, type StoredUpload, toStored } from './upload-database.ts'

const file = new File(['picture'], 'a.jpg', { type: 'image/jpeg' })

/** The stored form, as written by every version of the app since the first one, and the same upload in memory. */
const cases: [string, StoredUpload, SavedUpload][] = [
  [
    'over the monthly quota',
    {
      id: 'upload-1',
      owner: 'anna',
      file,
      state: { at: 'held', problem: { kind: 'no-room', what: 'photos', detail: 'Full.' } },
    },
    {
      id: 'upload-1',
      owner: 'anna',
      file,
      state: {
        status: 'over-limit',
        problem: { kind: 'quota-exceeded', quota: 'photos', detail: 'Full.' },
      },
    },
  ],
  [
    'over the maximum file size',
    {
      id: 'upload-2',
      owner: 'anna',
      file,
      state: { at: 'held', problem: { kind: 'too-large', mostBytes: 52_428_800 } },
    },
    {
      id: 'upload-2',
      owner: 'anna',
      file,
      state: { status: 'over-limit', problem: { kind: 'too-large', maxBytes: 52_428_800 } },
    },
  ],
]

describe('the form of saved uploads in the browser', () => {
  test.each(cases)('can be read, also with the fields of earlier versions: a file %s', (_, stored, upload) => {
    expect(fromStored(stored)).toEqual(upload)
    const state = { ...stored.state, tier: 'free', since: Date.parse('2026-11-20T10:00Z') }
    expect(fromStored({ ...stored, state })).toEqual(upload)
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
    state: { status: 'over-limit', problem: { kind: 'too-large', maxBytes: 1 } },
  })
  await database.remove(['upload-1'])
  expect(await database.ofOwner('anna')).toEqual([])
  expect(await database.missing(['upload-1'])).toEqual([])
})
