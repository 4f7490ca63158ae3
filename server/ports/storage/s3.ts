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
import { retention } from '@keepsnap/contract/retention.ts'
import type { StorageConfig } from '../../config.ts'
import { newId } from '../../lib/ids.ts'
import { s3AnswerOf, s3AnswerOrNull, openBucket, removeVersions, type Bucket } from './s3-client.ts'
import { checkKey, StorageDown, type ListedObject, type ByteSpan, type StagedObject, type Storage } from './storage.ts'

const removeBatchSize = 50

async function sizeOf({ client, name: Bucket }: Bucket, key: string): Promise<number | null> {
  const foundObject = await s3AnswerOrNull(client.send(new HeadObjectCommand({ Bucket, Key: checkKey(key) })))
  return foundObject?.ContentLength ?? null
}

async function getObject({ client, name: Bucket }: Bucket, key: string, span?: ByteSpan): Promise<Readable | null> {
  const Range = span && `bytes=${span.start}-${span.end}`
  const s3Command = new GetObjectCommand({ Bucket, Key: checkKey(key), ...(Range && { Range }) })
  const foundObject = await s3AnswerOrNull(client.send(s3Command))
  if (!foundObject) return null
  if (!(foundObject.Body instanceof Readable)) throw new StorageDown('the object store sent no body')
  return foundObject.Body
}

/** Uploads a local file and asks the store for its length afterwards. */
async function putFile(
  bucket: Bucket,
  key: string,
  { spoolPath, type }: { spoolPath: string; type: string },
): Promise<void> {
  const { size } = await stat(spoolPath)
  const s3Command = new PutObjectCommand({
    Bucket: bucket.name,
    Key: checkKey(key),
    Body: createReadStream(spoolPath),
    ContentLength: size,
    ContentType: type,
  })
  await s3AnswerOf(bucket.client.send(s3Command))
  if ((await sizeOf(bucket, key)) !== size) throw new StorageDown('the object store kept a different length')
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  // Folders on different file systems cannot share a file.
  await link(from, to).catch(() => copyFile(from, to))
}

async function moveFile(bucket: Bucket, key: string, file: { spoolPath: string; type: string }): Promise<void> {
  await putFile(bucket, key, file)
  await removeFile(file.spoolPath)
}

const removeFile = (path: string): Promise<void> => rm(path, { force: true }).catch(() => {})

/** A file on its way into the bucket. */
async function stagedFile(bucket: Bucket, spoolPath: string): Promise<StagedObject> {
  const { size } = await stat(spoolPath)
  return {
    bytes: size,
    linkTo: (target) => linkOrCopy(spoolPath, target),
    commit: (key, { type }) => moveFile(bucket, key, { spoolPath, type }),
    discard: () => removeFile(spoolPath),
  }
}

async function* listObjects({ client, name: Bucket }: Bucket): AsyncIterable<ListedObject> {
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
      const spoolPath = join(spoolDir, newId())
      try {
        await pipeline(source, createWriteStream(spoolPath, { flags: 'wx', mode: 0o644 }), {
          ...(signal && { signal }),
        })
        return await stagedFile(bucket, spoolPath)
      } catch (error) {
        await rm(spoolPath, { force: true })
        throw signal?.aborted ? signal.reason : error
      }
    },
    moveIn: (key, localPath, { type }) => moveFile(bucket, key, { spoolPath: localPath, type }),
    async linkTo(key, localPath) {
      const objectBody = await getObject(bucket, key)
      if (objectBody) await pipeline(objectBody, createWriteStream(localPath, { flags: 'wx', mode: 0o644 }))
      return objectBody !== null
    },
    open: (key, span) => getObject(bucket, key, span),
    sizeOf: (key) => sizeOf(bucket, key),
    async remove(keys) {
      for (let at = 0; at < keys.length; at += removeBatchSize)
        await removeVersions(bucket, keys.slice(at, at + removeBatchSize))
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
        { expiresIn: retention.presignedSeconds },
      ),
    check: async () => void (await s3AnswerOf(client.send(new HeadBucketCommand({ Bucket })))),
  }
}
