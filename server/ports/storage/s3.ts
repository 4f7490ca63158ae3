import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { StorageConfig } from '../../config.ts'
import { newId } from '../../lib/ids.ts'
import { answerOf, answerOrNull, openBucket, removeVersions, type Bucket } from './s3-client.ts'
import { checkKey, StorageDown, type Listed, type Span, type StagedObject, type Storage } from './storage.ts'

const presignSeconds = 60
const removeBatch = 50

async function sizeOf({ client, name: Bucket }: Bucket, key: string): Promise<number | null> {
  const found = await answerOrNull(client.send(new HeadObjectCommand({ Bucket, Key: checkKey(key) })))
  return found?.ContentLength ?? null
}

async function getObject({ client, name: Bucket }: Bucket, key: string, span?: Span): Promise<Readable | null> {
  const Range = span && `bytes=${span.start}-${span.end}`
  const command = new GetObjectCommand({ Bucket, Key: checkKey(key), ...(Range && { Range }) })
  const found = await answerOrNull(client.send(command))
  if (!found) return null
  if (!(found.Body instanceof Readable)) throw new StorageDown('the object store sent no body')
  return found.Body
}

/** Uploads a local file and asks the store for its length afterwards. */
async function putFile(bucket: Bucket, key: string, { path, type }: { path: string; type: string }): Promise<void> {
  const { size } = await stat(path)
  const command = new PutObjectCommand({
    Bucket: bucket.name,
    Key: checkKey(key),
    Body: createReadStream(path),
    ContentLength: size,
    ContentType: type,
  })
  await answerOf(bucket.client.send(command))
  if ((await sizeOf(bucket, key)) !== size) throw new StorageDown('the object store kept a different length')
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  // Folders on different file systems cannot share a file.
  await link(from, to).catch(() => copyFile(from, to))
}

/** A file on its way into the bucket. */
async function stagedFile(bucket: Bucket, path: string): Promise<StagedObject> {
  const { size } = await stat(path)
  const discard = (): Promise<void> => rm(path, { force: true }).catch(() => {})
  return {
    bytes: size,
    linkTo: (target) => linkOrCopy(path, target),
    async commit(key, { type }) {
      await putFile(bucket, key, { path, type })
      await discard()
    },
    discard,
  }
}

async function* listObjects({ client, name: Bucket }: Bucket): AsyncIterable<Listed> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
    for (const { Key = '', Size = 0, LastModified = new Date() } of Contents)
      yield { key: Key, bytes: Size, modifiedAt: LastModified }
  }
}

/**
 * A bucket of any store that speaks S3. Uploads are written to `spoolDir` first, a folder of this process alone, so that
 * length and checksum are known before the store is called.
 */
export async function s3Storage(config: StorageConfig & { kind: 's3' }, spoolDir: string): Promise<Storage> {
  await mkdir(spoolDir, { recursive: true, mode: 0o700 })
  const bucket = openBucket(config)
  const { client, name: Bucket } = bucket
  return {
    kind: 's3',
    async stage(source, { signal } = {}) {
      const path = join(spoolDir, newId())
      try {
        await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o644 }), { ...(signal && { signal }) })
        return await stagedFile(bucket, path)
      } catch (error) {
        await rm(path, { force: true })
        throw signal?.aborted ? signal.reason : error
      }
    },
    moveIn: async (key, path, options) => (await stagedFile(bucket, path)).commit(key, options),
    async linkTo(key, path) {
      const body = await getObject(bucket, key)
      if (body) await pipeline(body, createWriteStream(path, { flags: 'wx', mode: 0o644 }))
      return body !== null
    },
    open: (key, span) => getObject(bucket, key, span),
    sizeOf: (key) => sizeOf(bucket, key),
    async remove(keys) {
      for (let at = 0; at < keys.length; at += removeBatch)
        await removeVersions(bucket, keys.slice(at, at + removeBatch))
    },
    list: () => listObjects(bucket),
    presign: async (key, { type, disposition }) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          Bucket,
          Key: checkKey(key),
          ResponseContentType: type,
          ResponseContentDisposition: disposition,
          ResponseCacheControl: 'private, max-age=60',
        }),
        { expiresIn: presignSeconds },
      ),
    check: async () => void (await answerOf(client.send(new HeadBucketCommand({ Bucket })))),
  }
}
