import {
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  S3Client,
  S3ServiceException,
  type ListObjectVersionsCommandOutput,
} from '@aws-sdk/client-s3'
import PQueue from 'p-queue'
import type { S3Config } from './storage-settings.ts'
import { checkKey, StorageDown } from './storage.ts'

/** A bucket and the client to reach it. */
export interface Bucket {
  client: S3Client
  name: string
  /** Limits the concurrent multipart uploads. */
  largeUploads: PQueue
}

/** The maximum number of concurrent multipart uploads; more are queued. */
const largeUploadsAtOnce = 6

/**
 * How long one attempt may take, from its first byte to the first byte of the response; how long an open connection may
 * be silent; and how often a call is attempted. Throttled calls (SlowDown) are retried with exponential backoff.
 */
const limits = { connectMs: 5_000, attemptMs: 60_000, silenceMs: 60_000, attempts: 4, connections: 128 }
/** For calls without a body: one attempt, and all of them together. */
const shortCallMs = { attempt: 10_000, total: 20_000 }

/** The time limits of a call that sends no bytes. */
export const shortCall = (): { requestTimeout: number; abortSignal: AbortSignal } => ({
  requestTimeout: shortCallMs.attempt,
  abortSignal: AbortSignal.timeout(shortCallMs.total),
})

/** The client for the configured bucket; nothing is sent yet. */
export function openBucket({ bucket, endpoint, region, accessKeyId, secretAccessKey }: S3Config): Bucket {
  const agent = { maxSockets: limits.connections, keepAlive: true }
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: limits.attempts,
    // Backblaze B2 refuses the checksum headers that the client would send otherwise. Bytes are covered by the signature.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: limits.connectMs,
      requestTimeout: limits.attemptMs,
      // Without this, a call that takes too long is only logged.
      throwOnRequestTimeout: true,
      socketTimeout: limits.silenceMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })
  return { client, name: bucket, largeUploads: new PQueue({ concurrency: largeUploadsAtOnce }) }
}

/** A missing bucket is no missing object: it is a mistake in the settings, and every object would seem to be gone. */
const isMissingObject = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.name !== 'NoSuchBucket' && error.$metadata.httpStatusCode === 404

/** Why a call failed, without addresses or keys: the store's own name for it, and its status. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return [error.name === 'Error' ? (code ?? error.message) : error.name, status].filter(Boolean).join(' ')
}

/** A failure of the store as `StorageDown`, with its reason. */
export const s3ErrorAsStorageDown = (error: unknown): StorageDown =>
  error instanceof StorageDown
    ? error
    : new StorageDown(`the object store failed: ${reasonOf(error)}`, { cause: error })

/** The response to a call, or null when the object does not exist. Every other failure is `StorageDown`. */
export async function s3ResponseOrNull<T>(s3Call: Promise<T>): Promise<T | null> {
  try {
    return await s3Call
  } catch (error) {
    if (isMissingObject(error)) return null
    throw s3ErrorAsStorageDown(error)
  }
}

/** The response to a call; every failure is `StorageDown`. */
export async function s3Response<T>(s3Call: Promise<T>): Promise<T> {
  try {
    return await s3Call
  } catch (error) {
    throw s3ErrorAsStorageDown(error)
  }
}

/** One page of the versions and delete markers of an object. */
const versionsPage = (
  { client, name: Bucket }: Bucket,
  key: string,
  { NextKeyMarker, NextVersionIdMarker }: Partial<ListObjectVersionsCommandOutput>,
): Promise<ListObjectVersionsCommandOutput> =>
  s3Response(
    client.send(
      new ListObjectVersionsCommand({
        Bucket,
        Prefix: checkKey(key),
        KeyMarker: NextKeyMarker,
        VersionIdMarker: NextVersionIdMarker,
      }),
      shortCall(),
    ),
  )

/** Stores that keep no versions may not know the call that lists them (Garage, Cloudflare R2). */
const isUnknownCall = (error: unknown): boolean =>
  error instanceof StorageDown &&
  error.cause instanceof S3ServiceException &&
  (error.cause.name === 'NotImplemented' || error.cause.$metadata.httpStatusCode === 501)

/**
 * Removes an object with all its versions and delete markers: buckets may keep versions (Backblaze B2 always does), and then
 * deleting by name only hides an object. One call per version: deleting many at once needs a checksum that stores disagree about.
 */
export async function removeVersions(bucket: Bucket, key: string): Promise<void> {
  const { client, name: Bucket } = bucket
  const removeOne = (VersionId?: string): Promise<unknown> =>
    s3ResponseOrNull(client.send(new DeleteObjectCommand({ Bucket, Key: key, VersionId }), shortCall()))
  let page: Partial<ListObjectVersionsCommandOutput> = { IsTruncated: true }
  while (page.IsTruncated) {
    try {
      page = await versionsPage(bucket, key, page)
    } catch (error) {
      if (isUnknownCall(error)) return void (await removeOne())
      throw error
    }
    for (const version of [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])])
      // An object of another program can have a longer name that begins with this one.
      if (version.Key === key) await removeOne(version.VersionId)
  }
}
