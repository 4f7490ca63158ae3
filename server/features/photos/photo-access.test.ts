import { expect, test } from 'vitest'
import { sharedPhoto } from '../../test/sample-photos.ts'
import { type AccessDecision, type AccessPath, type SharedPhoto, decideAccess, mayGoOn } from './photo-access.ts'

const paths = {
  'direct code': { via: 'direct code' },
  'valid signed URL': { via: 'signed URL', isValid: true },
  'invalid signed URL': { via: 'signed URL', isValid: false },
  thumbnail: { via: 'thumbnail', signedFor: null },
  'owner’s thumbnail': { via: 'thumbnail', signedFor: 'owner' },
  'operator’s thumbnail': { via: 'thumbnail', signedFor: 'operator' },
  'guest page': { via: 'guest page' },
  'valid grant': { via: 'grant', isValid: true },
  'invalid grant': { via: 'grant', isValid: false },
  'QR code image': { via: 'QR code image' },
} as const satisfies Record<string, AccessPath>
type Row = Record<keyof typeof paths, AccessDecision>

const nothing = Object.fromEntries(Object.keys(paths).map((name) => [name, 'not found'])) as Row // has every name
const ready: Row = {
  'direct code': 'allow',
  'valid signed URL': 'allow',
  'invalid signed URL': 'not found',
  thumbnail: 'allow',
  'owner’s thumbnail': 'allow',
  'operator’s thumbnail': 'allow',
  'guest page': 'allow',
  'valid grant': 'allow',
  'invalid grant': 'not found',
  'QR code image': 'allow',
}
const processing: Row = {
  ...ready,
  'direct code': 'processing',
  'valid signed URL': 'not found',
  'guest page': 'processing',
  'valid grant': 'processing',
}
const hidden: Row = {
  ...nothing,
  'valid signed URL': 'allow',
  'owner’s thumbnail': 'allow',
  'operator’s thumbnail': 'allow',
  'QR code image': 'allow',
}
const hiddenByOperator: Row = { ...nothing, 'operator’s thumbnail': 'allow', 'QR code image': 'allow' }
const hiddenAt = new Date(1)

test.each<[string, Partial<SharedPhoto>, Row]>([
  ['a ready photo', {}, ready],
  [
    'a photo whose owner requires an email address',
    { emailRequired: true },
    { ...ready, 'direct code': 'email required' },
  ],
  ['a photo that is being processed', { state: 'queued' }, processing],
  [
    'a photo without a thumbnail yet',
    { state: 'queued', thumbKey: null },
    { ...processing, thumbnail: 'not found', 'owner’s thumbnail': 'not found', 'operator’s thumbnail': 'not found' },
  ],
  ['a hidden photo', { hiddenAt }, hidden],
  ['a hidden photo whose owner requires an email address', { hiddenAt, emailRequired: true }, hidden],
  ['a photo that an operator hid', { hiddenAt, hiddenByOperator: true }, hiddenByOperator],
  ['a failed photo', { state: 'failed' }, nothing],
  ['a photo of a deactivated account', { ownerActive: false }, nothing],
])('decides on %s', (_, change, expected) => {
  const decisions = Object.entries(paths).map(([name, path]) => [name, decideAccess(sharedPhoto(change), path)])
  expect(Object.fromEntries(decisions)).toEqual(expected)
})

test('an answer under way ends when the photo is hidden or deleted, and for no other change', () => {
  const hidden = (at: number, more: Partial<SharedPhoto> = {}) => sharedPhoto({ hiddenAt: new Date(at), ...more })
  const shown = sharedPhoto()
  for (const change of [{}, { emailRequired: true }, { mediaEpoch: 2 }, { fullKey: 'full/other' }])
    expect(mayGoOn(shown, sharedPhoto(change))).toBe(true)
  expect([mayGoOn(shown, undefined), mayGoOn(shown, hidden(1))]).toEqual([false, false])
  // What the owner downloads while it is hidden.
  expect([mayGoOn(hidden(1), hidden(1)), mayGoOn(hidden(1), shown)]).toEqual([true, true])
  expect([mayGoOn(hidden(1), hidden(2)), mayGoOn(hidden(1), hidden(1, { hiddenByOperator: true }))]).toEqual([
    false,
    false,
  ])
})

test('a photo that does not exist is not found', () => {
  for (const path of Object.values(paths)) expect(decideAccess(undefined, path)).toBe('not found')
})
