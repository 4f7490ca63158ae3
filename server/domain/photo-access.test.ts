import { expect, test } from 'vitest'
import { sharedPhoto } from '../test/sample-photos.ts'
import { decideAccess, type AccessDecision, type AccessPath, type SharedPhoto } from './photo-access.ts'

const paths = {
  'direct code': { via: 'direct code' },
  'valid signed URL': { via: 'signed URL', isValid: true },
  'invalid signed URL': { via: 'signed URL', isValid: false },
  thumbnail: { via: 'thumbnail', isValid: false },
  'owner’s thumbnail': { via: 'thumbnail', isValid: true },
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
  'QR code image': 'allow',
}

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
    { ...processing, thumbnail: 'not found', 'owner’s thumbnail': 'not found' },
  ],
  ['a hidden photo', { hidden: true }, hidden],
  ['a hidden photo whose owner requires an email address', { hidden: true, emailRequired: true }, hidden],
  ['a failed photo', { state: 'failed' }, nothing],
  ['a photo of a deactivated account', { ownerActive: false }, nothing],
])('decides on %s', (_, change, expected) => {
  const decisions = Object.entries(paths).map(([name, path]) => [name, decideAccess(sharedPhoto(change), path)])
  expect(Object.fromEntries(decisions)).toEqual(expected)
})

test('a photo that does not exist is not found', () => {
  for (const path of Object.values(paths)) expect(decideAccess(undefined, path)).toBe('not found')
})
