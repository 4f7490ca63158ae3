import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { reserveUpload } from './queries.ts'
import { newId } from '../../lib/ids.ts'
import { storeStream } from '../../ports/storage/storage.ts'
import { useServer } from '../../test/harness.ts'
import { makeUser } from '../../test/test-data.ts'
import {
  newStorageKey,
  ownerlessKeys,
  registerKeysForPhoto,
  registerKeysForUser,
  removeIfUnreferenced,
  unreferencedKeys,
  unregisterKeys,
} from './stored-objects.ts'

const server = useServer()

const query = (text: string, values: unknown[]) => server.app.deps.pool.query(text, values)

/** A photo with an original, and with a full image that no row refers to. */
async function makePhoto() {
  const { id: userId } = await makeUser(server)
  const [photoId, originalKey, strayKey] = [newId(), newStorageKey('orig'), newStorageKey('full')]
  const upload = { id: photoId, userId, code: newId(), originalKey, idempotencyKey: undefined }
  await reserveUpload(server.db, upload)
  await registerKeysForPhoto(server.db, photoId, [strayKey])
  await query("update stored_objects set created_at = now() - interval '30 minutes' where photo_id = $1", [photoId])
  return { userId, photoId, originalKey, strayKey }
}
const setState = (photoId: string, state: string) =>
  query('update photos set state = $2 where id = $1', [photoId, state])
/** Which of these keys are unreferenced. */
const unreferencedOf = async (...keys: string[]): Promise<string[]> => {
  const found = await unreferencedKeys(server.db, '15 minutes', 1_000)
  return keys.filter((key) => found.includes(key))
}

describe('a key that no row refers to is found', () => {
  test('unless its photo is being received or was processed within the last hour', async () => {
    const { photoId, originalKey, strayKey } = await makePhoto()
    expect(await unreferencedOf(originalKey, strayKey)).toEqual([])
    await setState(photoId, 'queued')
    expect(await unreferencedOf(originalKey, strayKey)).toEqual([])
    await setState(photoId, 'ready')
    expect(await unreferencedOf(originalKey, strayKey)).toEqual([strayKey])
    await setState(photoId, 'queued')
    await query("update stored_objects set created_at = now() - interval '2 hours' where photo_id = $1", [photoId])
    expect(await unreferencedOf(originalKey, strayKey)).toEqual([strayKey])
  })
  test('once it is old enough', async () => {
    const { id } = await makeUser(server)
    const key = newStorageKey('brand')
    await registerKeysForUser(server.db, id, [key])
    expect(await unreferencedOf(key)).toEqual([])
    await query("update stored_objects set created_at = now() - interval '16 minutes' where key = $1", [key])
    expect(await unreferencedOf(key)).toEqual([key])
    await unregisterKeys(server.db, [key])
    expect(await unreferencedOf(key)).toEqual([])
  })
})

test('the keys of a deleted photo of a deleted account are ownerless', async () => {
  const { userId, photoId, originalKey, strayKey } = await makePhoto()
  expect(await ownerlessKeys(server.db, '', 1_000)).toEqual([])
  await query('delete from photos where id = $1', [photoId])
  await query('delete from users where id = $1', [userId])
  const keys = await ownerlessKeys(server.db, '', 1_000)
  expect(keys).toEqual([strayKey, originalKey].toSorted())
  expect(await ownerlessKeys(server.db, keys[0]!, 1)).toEqual([keys[1]])
})

test('an image is removed only when no row refers to it', async () => {
  const { photoId, strayKey } = await makePhoto()
  const { storage } = server.app.deps
  await storeStream(storage, strayKey, { source: Readable.from([Buffer.from('bytes')]), type: 'image/jpeg' })
  await query('update photos set full_key = $2 where id = $1', [photoId, strayKey])
  await removeIfUnreferenced({ db: server.db, storage }, strayKey)
  expect(await storage.sizeOf(strayKey)).toBe(5)
  await query('update photos set full_key = null where id = $1', [photoId])
  await removeIfUnreferenced({ db: server.db, storage }, strayKey)
  expect(await storage.sizeOf(strayKey)).toBeNull()
})
