import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { newId } from '../../lib/ids.ts'
import { publish } from '../../platform/live/bus.ts'
import { useServer } from '../../test/harness.ts'
import { sharedPhoto } from '../../test/sample-photos.ts'
import { type TestUser, makeUser, upload } from '../../test/test-data.ts'
import {
  type AccessDecision,
  type AccessPath,
  type MediaCache,
  type SharedPhoto,
  createMediaCache,
  decideAccess,
  mayGoOn,
} from './photo-access.ts'

const file = await jpeg({ width: 64, height: 48 })
const server = useServer()

describe('the policy', () => {
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
})

describe('the cache', () => {
  beforeAll(async () => {
    // Until then nothing is cached, and events do not arrive.
    await vi.waitUntil(() => server.app.deps.bus.isListening(), { timeout: 60_000, interval: 5 })
  })

  /** A cache of the server's database and bus in which no time passes. */
  function createTestCache(): MediaCache {
    const { db, pool, bus } = server.app.deps
    return createMediaCache({ db, pool, bus, clock: { now: () => 1_000 } })
  }
  async function addPhoto(): Promise<{ user: TestUser; id: string }> {
    const user = await makeUser(server)
    const { id } = (await upload(server, user, file)).json<Photo>()
    await receiveEvents()
    return { user, id }
  }
  /** Waits until this server has received all events that were published so far: they arrive in order. */
  async function receiveEvents(): Promise<void> {
    const { db, bus } = server.app.deps
    const marker = newId()
    const received = new Promise<void>((resolve) =>
      bus.onEvent((event) => void (event.kind === 'test' && event.user === marker && resolve())),
    )
    await publish(db, { kind: 'test', user: marker })
    await received
  }
  /** Changes photos without an event of the bus. */
  const renameUnannounced = (filename: string) =>
    server.app.deps.pool.query('update photos set filename = $1', [filename])
  const filenameIn = async (cache: MediaCache, id: string): Promise<string | undefined> =>
    (await cache.find('id', id))?.filename

  test('a change of settings invalidates the photos of that user only', async () => {
    const [changed, other] = [await addPhoto(), await addPhoto()]
    const cache = createTestCache()
    await renameUnannounced('old.jpg')
    for (const { id } of [changed, other]) expect(await filenameIn(cache, id)).toBe('old.jpg')
    await renameUnannounced('new.jpg')
    for (const { id } of [changed, other]) expect(await filenameIn(cache, id)).toBe('old.jpg')

    const settings = { ask_email_to_receive_photo: true }
    const { token } = changed.user
    const answer = await server.request({ method: 'PUT', url: '/user/settings', token, body: settings })
    expect(answer.statusCode).toBe(200)
    await expect.poll(() => filenameIn(cache, changed.id)).toBe('new.jpg')
    expect(await filenameIn(cache, other.id)).toBe('old.jpg')
  })

  test('a change of settings invalidates the cache of this server before its response is sent', async () => {
    const { user, id } = await addPhoto()
    const { mediaCache } = server.app.deps
    expect(await mediaCache.find('id', id)).toMatchObject({ emailRequired: false })
    const body = { ask_email_to_receive_photo: true }
    await server.request({ method: 'PUT', url: '/user/settings', token: user.token, body })
    expect(await mediaCache.find('id', id)).toMatchObject({ emailRequired: true })
  })

  test('a deletion invalidates the photo under its id, its code and its keys', async () => {
    const { user, id } = await addPhoto()
    await server.work()
    const { mediaCache } = server.app.deps
    const media = await mediaCache.find('id', id)
    const names = [
      ['id', id],
      ['code', media?.code],
      ['full_key', media?.fullKey],
      ['thumb_key', media?.thumbKey],
    ] as const
    for (const [column, value] of names)
      expect(await mediaCache.find(column, value ?? '')).toMatchObject({ photoId: id })
    await server.request({ method: 'DELETE', url: `/photos/${id}`, token: user.token })
    for (const [column, value] of names) expect(await mediaCache.find(column, value ?? '')).toBeUndefined()
  })
})
