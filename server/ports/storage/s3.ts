import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { StorageConfig } from '../../config.ts'
import { newId } from '../../domain/ids.ts'
import { checkKey, StorageDown, type Listed, type Storage } from './storage.ts'

const presignSeconds = 60
const refusals = new Set(['NoSuchKey', 'NotFound'])
const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && (refusals.has(error.name) || error.$metadata.httpStatusCode === 404)

/** Runs a call; every trouble with the store becomes StorageDown, whatever the SDK calls it. */
async function asking<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (isMissing(error)) throw error
    throw new StorageDown('the object store did not do what it was asked', { cause: error })
  }
}
/** The same, for objects that may not be there. */
async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await asking(call)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/**
 * A bucket of any store that speaks S3. Uploads are written to `spoolDir`, a folder of this process alone, first, so that length and checksum are known
 * before the store is asked. Buckets may keep versions (Backblaze B2 always does): removing removes all of them.
 */
export async function s3Storage(config: StorageConfig & { kind: 's3' }, spoolDir: string): Promise<Storage> {
  const { bucket: Bucket, endpoint, region, accessKeyId, secretAccessKey } = config
  await mkdir(spoolDir, { recursive: true, mode: 0o700 })
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: 3,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 60_000 },
  })

  const sizeOf = async (Key: string): Promise<number | null> => {
    const found = await orNull(client.send(new HeadObjectCommand({ Bucket, Key: checkKey(Key) })))
    return found?.ContentLength ?? null
  }
  const store = async (key: string, path: string, ContentType: string): Promise<number> => {
    const { size } = await stat(path)
    await asking(
      client.send(
        new PutObjectCommand({
          Bucket,
          Key: checkKey(key),
          Body: createReadStream(path),
          ContentLength: size,
          ContentType,
        }),
      ),
    )
    if ((await sizeOf(key)) !== size) throw new StorageDown('the object store kept another length than it was given')
    return size
  }
  const removeVersions = async (keys: readonly string[]): Promise<void> => {
    const found = await Promise.all(
      keys.map(async (key) => {
        const { Versions = [], DeleteMarkers = [] } = await asking(
          client.send(new ListObjectVersionsCommand({ Bucket, Prefix: checkKey(key) })),
        )
        return [...Versions, ...DeleteMarkers].map(({ Key = key, VersionId }) => ({ Key, VersionId }))
      }),
    )
    const Objects = found.flat()
    if (Objects.length === 0) return
    const { Errors = [] } = await asking(
      client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } })),
    )
    if (Errors.length)
      throw new StorageDown(
        `the object store kept ${Errors.length} of ${Objects.length} objects: ${Errors[0]?.Message}`,
      )
  }

  return {
    kind: 's3',
    sizeOf,
    async put(key, source, { type, signal }) {
      checkKey(key)
      const path = join(spoolDir, newId())
      try {
        await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { ...(signal && { signal }) })
        return await store(key, path, type)
      } finally {
        await rm(path, { force: true })
      }
    },
    async adopt(key, path, { type }) {
      await store(key, path, type)
      await unlink(path)
    },
    async layAt(key, path) {
      const found = await orNull(client.send(new GetObjectCommand({ Bucket, Key: checkKey(key) })))
      if (!found) return false
      if (!(found.Body instanceof Readable)) throw new StorageDown('the object store sent no body')
      await pipeline(found.Body, createWriteStream(path, { flags: 'wx', mode: 0o644 }))
      return true
    },
    async open(key, span) {
      const Range = span && `bytes=${span.start}-${span.end}`
      const found = await orNull(
        client.send(new GetObjectCommand({ Bucket, Key: checkKey(key), ...(Range && { Range }) })),
      )
      return found?.Body instanceof Readable ? found.Body : null
    },
    async remove(keys) {
      for (let at = 0; at < keys.length; at += 50) await removeVersions(keys.slice(at, at + 50))
    },
    async *list(): AsyncIterable<Listed> {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
        for (const { Key = '', Size = 0, LastModified = new Date() } of Contents)
          yield { key: Key, bytes: Size, modifiedAt: LastModified }
      }
    },
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
    check: async () => void (await asking(client.send(new HeadBucketCommand({ Bucket })))),
  }
}
