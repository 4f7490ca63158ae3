import { expect, test } from 'vitest'
import { archivedFilesOf, type ArchivedPhoto } from './archive-contents.ts'

const photo: ArchivedPhoto = {
  id: 'abcdefghijklmnopqrstuv',
  filename: 'party.heic',
  state: 'ready',
  created_at: new Date('2026-05-01T10:20:30Z'),
  hidden: false,
  operator_decision: null,
  operator_decided_at: null,
  operator_message: null,
  width: 40,
  height: 30,
  full_key: 'full/1',
  full_type: 'image/jpeg',
  unmarked_key: null,
  unmarked_type: null,
  original_key: null,
}

test('a photo is named after its upload time, its id and its file name, with the extension of its type', () => {
  expect(archivedFilesOf(photo)).toEqual([{ key: 'full/1', name: 'photos/2026-05-01-1020-abcdefgh-party.jpg' }])
})

test('a photo with a watermark is stored with and without it', () => {
  expect(archivedFilesOf({ ...photo, unmarked_key: 'full/2', unmarked_type: 'image/png' })).toEqual([
    { key: 'full/1', name: 'photos/2026-05-01-1020-abcdefgh-party.jpg' },
    { key: 'full/2', name: 'photos/without-watermark/2026-05-01-1020-abcdefgh-party.png' },
  ])
})

test('of a photo that failed, the upload is stored under its own name, and nothing once it is deleted', () => {
  const failed = { ...photo, state: 'failed', full_key: null, original_key: 'original/1' }
  expect(archivedFilesOf(failed)).toEqual([{ key: 'original/1', name: 'photos/2026-05-01-1020-abcdefgh-party.heic' }])
  expect(archivedFilesOf({ ...failed, original_key: null })).toEqual([])
})

test('the name of a file is at most 200 bytes long', () => {
  const [file] = archivedFilesOf({ ...photo, filename: `${'é'.repeat(300)}.jpg` })
  const name = file?.name.replace('photos/', '') ?? ''
  expect(name).toMatch(/é{80,}\.jpg$/)
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
})
