import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import type { StorageConfig } from '../../config.ts'
import { checkKey, StorageDown } from './storage.ts'

const missingObjectErrors = new Set(['NoSuchKey', 'NotFound'])
const isMissingObject = (error: unknown): boolean =>
  error instanceof S3ServiceException && (missingObjectErrors.has(error.name) || error.$metadata.httpStatusCode === 404)

/** A bucket and the client to reach it. */
export interface Bucket {
  client: S3Client
  name: string
}

/** The client for the configured bucket; nothing is sent yet. */
export function openBucket({
  bucket,
  endpoint,
  region,
  accessKeyId,
  secretAccessKey,
}: StorageConfig & { kind: 's3' }): Bucket {
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
  return { client, name: bucket }
}

/** The answer of a call. Every failure becomes `StorageDown`, except that an object does not exist. */
export async function s3AnswerOf<T>(s3Call: Promise<T>): Promise<T> {
  try {
    return await s3Call
  } catch (error) {
    if (isMissingObject(error)) throw error
    throw new StorageDown('the object store failed', { cause: error })
  }
}

/** The same; null when the object does not exist. */
export async function s3AnswerOrNull<T>(s3Call: Promise<T>): Promise<T | null> {
  try {
    return await s3AnswerOf(s3Call)
  } catch (error) {
    if (isMissingObject(error)) return null
    throw error
  }
}

/** Removes objects with all their versions and delete markers: buckets may keep versions (Backblaze B2 always does). */
export async function removeVersions({ client, name: Bucket }: Bucket, keys: readonly string[]): Promise<void> {
  const foundVersions = await Promise.all(
    keys.map(async (key) => {
      const { Versions = [], DeleteMarkers = [] } = await s3AnswerOf(
        client.send(new ListObjectVersionsCommand({ Bucket, Prefix: checkKey(key) })),
      )
      return [...Versions, ...DeleteMarkers].map(({ Key = key, VersionId }) => ({ Key, VersionId }))
    }),
  )
  const Objects = foundVersions.flat()
  if (Objects.length === 0) return
  const { Errors = [] } = await s3AnswerOf(
    client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } })),
  )
  if (Errors.length)
    throw new StorageDown(
      `the object store did not remove ${Errors.length} of ${Objects.length} objects: ${Errors[0]?.Message}`,
    )
}
