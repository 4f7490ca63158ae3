import type { SharedPhoto } from '../domain/photo-access.ts'

/** A ready photo as the access policy reads it, for tests without a database. */
export const sharedPhoto = (changes: Partial<SharedPhoto> = {}): SharedPhoto => ({
  photoId: 'photo',
  userId: 'owner',
  ownerActive: true,
  emailRequired: false,
  hiddenAt: null,
  hiddenByOperator: false,
  brandName: null,
  timeZone: null,
  mediaEpoch: 1,
  state: 'ready',
  filename: 'private name.jpg',
  createdAt: new Date('2026-05-01T10:20:00Z'),
  code: 'code',
  fullKey: 'full/abc',
  fullType: 'image/jpeg',
  fullBytes: 1000,
  thumbKey: 'thumb/abc',
  thumbBytes: 10,
  width: 40,
  height: 30,
  thumbhash: 'hash',
  logo: null,
  ...changes,
})
