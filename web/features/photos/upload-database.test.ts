import { expect, test } from 'vitest'
import { fromStored, openUploadDatabase, type SavedUpload, type StoredUpload, toStored } from './upload-database.ts'

const file = new File(['picture'], 'a.jpg', { type: 'image/jpeg' })

const saved = { id: 'upload-1', owner: 'anna', file }

/** The stored form, as written by every version of the app since the first one, and the same problem in memory. */
const cases: [string, StoredUpload['state']['problem'], SavedUpload['state']['problem']][] = [
  [
    'over the monthly quota',
    { kind: 'no-room', what: 'photos', detail: 'Full.' },
    { kind: 'quota-exceeded', quota: 'photos', detail: 'Full.' },
  ],
  [
    'over the maximum file size',
    { kind: 'too-large', mostBytes: 52_428_800 },
    { kind: 'too-large', maxBytes: 52_428_800 },
  ],
]

test.each(cases)(
  'the stored form of a file %s stays, and can be read with the fields of earlier versions',
  (_, stored, problem) => {
    const upload: SavedUpload = { ...saved, state: { status: 'over-limit', problem } }
    const state = { at: 'held', problem: stored } as const
    expect(toStored(upload)).toEqual({ ...saved, state })
    expect(fromStored({ ...saved, state })).toEqual(upload)
    const earlier = { ...state, tier: 'free', since: Date.parse('2026-11-20T10:00Z') }
    expect(fromStored({ ...saved, state: earlier })).toEqual(upload)
  },
)

test('a browser without a database saves nothing and reports no error', async () => {
  const database = openUploadDatabase()
  await database.save({ ...saved, state: { status: 'over-limit', problem: { kind: 'too-large', maxBytes: 1 } } })
  await database.remove(['upload-1'])
  expect(await database.ofOwner('anna')).toEqual([])
  expect(await database.missing(['upload-1'])).toEqual([])
})
