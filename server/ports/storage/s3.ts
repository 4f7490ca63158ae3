import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, rm, stat } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import PQueue from 'p-queue'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { retention } from '@keepsnap/contract/limits.ts'
import { newId } from '../../lib/ids.ts'
import {
  type ByteSpan,
  checkKey,
  installationIn,
  keyPattern,
  type ListedObject,
  markName,
  markText,
  type S3Config,
  type Storage,
  StorageDown,
} from './storage.ts'
import { diskErrorAsStorageDown as asDiskDown } from './disk.ts'

/** Objects that one call of `remove` removes at the same time. */
const removalsAtOnce = 8

async function getObject({ client, name: Bucket }: Bucket, Key: string, span?: ByteSpan): Promise<Readable | null> {
  const Range = span && `bytes=${span.start}-${span.end}`
  const s3Command = new GetObjectCommand({ Bucket, Key, ...(Range && { Range }) })
  const foundObject = await s3ResponseOrNull(client.send(s3Command, { requestTimeout: shortCall().requestTimeout }))
  if (!foundObject) return null
  if (!(foundObject.Body instanceof Readable)) throw new StorageDown('the object store sent no body')
  return foundObject.Body
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  // Folders on different file systems cannot share a file.
  await link(from, to).catch(() => copyFile(from, to))
}

const removeFile = (path: string): Promise<void> => rm(path, { force: true }).catch(() => {})

async function moveFile(bucket: Bucket, key: string, file: { path: string; type: string }): Promise<void> {
  await putFile(bucket, key, file)
  await removeFile(file.path)
}

/** Writes a stream to a new local file; when that fails, nothing of the file is left. A full disk is `StorageDown`, too. */
async function writeFile(source: Readable, path: string, signal?: AbortSignal): Promise<void> {
  try {
    await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o644 }), { ...(signal && { signal }) })
  } catch (error) {
    await removeFile(path)
    throw signal?.aborted ? signal.reason : asDiskDown(error)
  }
}

async function downloadTo(bucket: Bucket, key: string, localPath: string): Promise<boolean> {
  const objectBody = await getObject(bucket, checkKey(key))
  let failure: Error | undefined
  objectBody?.once('error', (error) => (failure = error))
  // A download that breaks off is a failure of the store; a file that cannot be written is one of the disk.
  await (objectBody &&
    writeFile(objectBody, localPath).catch((error: unknown) => {
      throw failure === error ? s3ErrorAsStorageDown(error) : error
    }))
  return objectBody !== null
}

async function* listObjects(
  { client, name: Bucket }: Bucket,
  onOtherName?: (name: string) => void,
): AsyncIterable<ListedObject> {
  try {
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
      for (const { Key = '', Size = 0, LastModified = new Date() } of Contents)
        if (keyPattern.test(Key)) yield { key: Key, bytes: Size, modifiedAt: LastModified }
        else if (Key.includes('/')) onOtherName?.(Key)
    }
  } catch (error) {
    throw s3ErrorAsStorageDown(error)
  }
}

/**
 * A bucket of any store that speaks S3. Uploads are written to `spoolDir` first, a folder of this process alone: a client
 * that disconnects costs the store nothing, and what fails can be attempted again.
 */
export async function s3Storage(config: S3Config, spoolDir: string): Promise<Storage> {
  await mkdir(spoolDir, { recursive: true, mode: 0o700 })
  const bucket = openBucket(config)
  const { client, name: Bucket } = bucket
  return {
    kind: 's3',
    async stage(source, { signal } = {}) {
      const path = join(spoolDir, newId())
      await writeFile(source, path, signal)
      return {
        bytes: (await stat(path)).size,
        linkTo: (target) => linkOrCopy(path, target),
        commit: (key, { type }) => moveFile(bucket, key, { path, type }),
        discard: () => removeFile(path),
      }
    },
    storeLarge: (key, upload) => putStream(bucket, key, upload),
    moveIn: (key, localPath, { type }) => moveFile(bucket, key, { path: localPath, type }),
    linkTo: (key, localPath) => downloadTo(bucket, key, localPath),
    open: async (key, span) => getObject(bucket, checkKey(key), span),
    sizeOf: (key) => sizeInBucket(bucket, key),
    async remove(keys) {
      const removals = new PQueue({ concurrency: removalsAtOnce })
      const results = await Promise.allSettled(keys.map((key) => removals.add(() => removeVersions(bucket, key))))
      const failed = results.find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
    },
    removeUnfinished: (before) => abortUnfinished(bucket, before),
    list: (onOtherName) => listObjects(bucket, onOtherName),
    async presign(key, { type, disposition }) {
      if (config.downloads === 'proxy') return null
      const object = {
        Bucket,
        Key: checkKey(key),
        ResponseContentType: type,
        ResponseContentDisposition: disposition,
        ResponseCacheControl: `private, max-age=${retention.presignedSeconds}`,
      }
      return getSignedUrl(client, new GetObjectCommand(object), { expiresIn: retention.presignedSeconds })
    },
    check: async () => void (await s3Response(client.send(new HeadBucketCommand({ Bucket }), shortCall()))),
    async readInstallation() {
      const mark = await getObject(bucket, markName)
      return installationIn(mark && (await s3Response(text(mark))))
    },
    async writeInstallation(id) {
      const mark = { Bucket, Key: markName, Body: markText(id), ContentType: 'application/json' }
      await s3Response(client.send(new PutObjectCommand(mark), shortCall()))
    },
  }
}

/** A bucket and the client to reach it. */
interface Bucket {
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
const shortCall = (): { requestTimeout: number; abortSignal: AbortSignal } => ({
  requestTimeout: shortCallMs.attempt,
  abortSignal: AbortSignal.timeout(shortCallMs.total),
})

/** The client for the configured bucket; nothing is sent yet. */
function openBucket({ bucket, endpoint, region, accessKeyId, secretAccessKey }: S3Config): Bucket {
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
const s3ErrorAsStorageDown = (error: unknown): StorageDown =>
  error instanceof StorageDown
    ? error
    : new StorageDown(`the object store failed: ${reasonOf(error)}`, { cause: error })

/** The response to a call, or null when the object does not exist. Every other failure is `StorageDown`. */
async function s3ResponseOrNull<T>(s3Call: Promise<T>): Promise<T | null> {
  try {
    return await s3Call
  } catch (error) {
    if (isMissingObject(error)) return null
    throw s3ErrorAsStorageDown(error)
  }
}

/** The response to a call; every failure is `StorageDown`. */
async function s3Response<T>(s3Call: Promise<T>): Promise<T> {
  try {
    return await s3Call
  } catch (error) {
    throw s3ErrorAsStorageDown(error)
  }
}

/** Stores that keep no versions may not know the call that lists them (Garage, Cloudflare R2). */
const isUnknownCall = (error: unknown): boolean =>
  error instanceof StorageDown &&
  error.cause instanceof S3ServiceException &&
  (error.cause.name === 'NotImplemented' || error.cause.$metadata.httpStatusCode === 501)

/**
 * Removes an object with all its versions and delete markers: buckets may keep versions (Backblaze B2 always does), and then
 * deleting by name only hides an object. One call per version: deleting many at once needs a checksum that stores disagree about.
 */
async function removeVersions({ client, name: Bucket }: Bucket, key: string): Promise<void> {
  const removeOne = (VersionId?: string): Promise<unknown> =>
    s3ResponseOrNull(client.send(new DeleteObjectCommand({ Bucket, Key: key, VersionId }), shortCall()))
  let page: Partial<ListObjectVersionsCommandOutput> = { IsTruncated: true }
  while (page.IsTruncated) {
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page
    const list = new ListObjectVersionsCommand({ Bucket, Prefix: checkKey(key), KeyMarker, VersionIdMarker })
    try {
      page = await s3Response(client.send(list, shortCall()))
    } catch (error) {
      if (isUnknownCall(error)) return void (await removeOne())
      throw error
    }
    for (const version of [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])])
      // An object of another program can have a longer name that begins with this one.
      if (version.Key === key) await removeOne(version.VersionId)
  }
}

const megabyte = 1024 * 1024
/**
 * Files are sent in parts of 8 MB, each of which can be attempted again; smaller ones in one call. Streams of unknown length
 * have larger parts, because a store takes at most 10,000.
 */
const partBytes = { file: 8 * megabyte, stream: 16 * megabyte }
/** Parts of one upload that are in memory and being sent. */
const partsAtOnce = 2

/** Size of an object in bytes; null when there is none. */
async function sizeInBucket({ client, name: Bucket }: Bucket, key: string): Promise<number | null> {
  const found = await s3ResponseOrNull(client.send(new HeadObjectCommand({ Bucket, Key: checkKey(key) }), shortCall()))
  return found?.ContentLength ?? null
}

interface Source {
  body: Readable
  type: string
  partSize: number
}

/** Sends a stream to the bucket; when that fails, no part of it stays there. */
async function send({ client, name: Bucket }: Bucket, key: string, { body, type, partSize }: Source): Promise<void> {
  const params = { Bucket, Key: checkKey(key), Body: body, ContentType: type }
  try {
    await new Upload({ client, params, partSize, queueSize: partsAtOnce }).done()
  } catch (error) {
    // The stream's own error says more than that sending it failed; without one it was only closed.
    throw body.errored && body.errored.name !== 'AbortError' ? body.errored : s3ErrorAsStorageDown(error)
  } finally {
    body.destroy()
  }
}

async function confirmSize(bucket: Bucket, key: string, bytes: number): Promise<void> {
  if ((await sizeInBucket(bucket, key)) !== bytes) throw new StorageDown('the object store kept a different length')
}

/** Stores a local file under a key; resolves when the store has confirmed its length. */
async function putFile(bucket: Bucket, key: string, { path, type }: { path: string; type: string }): Promise<void> {
  const { size } = await stat(path)
  const sendFile = (): Promise<void> =>
    send(bucket, key, { body: createReadStream(path), type, partSize: partBytes.file })
  await (size < partBytes.file ? sendFile() : bucket.largeUploads.add(sendFile))
  await confirmSize(bucket, key, size)
}

/** Stores a stream under a key without keeping it on this machine; its number of bytes. */
async function putStream(
  bucket: Bucket,
  key: string,
  { source, type, signal }: { source: Readable; type: string; signal?: AbortSignal | undefined },
): Promise<number> {
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      done(null, chunk)
    },
  })
  const fail = (error: Error): unknown => counted.destroy(error)
  const abort = (): unknown => source.destroy(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
  source.once('error', fail).once('close', () => source.readableEnded || fail(new Error('the stream ended early')))
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  try {
    source.pipe(counted)
    await send(bucket, key, { body: counted, type, partSize: partBytes.stream })
  } catch (error) {
    source.destroy()
    throw signal?.aborted ? signal.reason : error
  } finally {
    signal?.removeEventListener('abort', abort)
  }
  await confirmSize(bucket, key, bytes)
  return bytes
}

/** Ends uploads that began before a moment and were never finished: their parts cost money and appear in no list. */
async function abortUnfinished({ client, name: Bucket }: Bucket, before: Date): Promise<number> {
  let aborted = 0
  let page: Partial<ListMultipartUploadsCommandOutput> = { IsTruncated: true }
  while (page.IsTruncated) {
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
    page = await s3Response(
      client.send(new ListMultipartUploadsCommand({ Bucket, KeyMarker, UploadIdMarker }), shortCall()),
    )
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Initiated || Initiated >= before) continue
      await s3ResponseOrNull(client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), shortCall()))
      aborted += 1
    }
  }
  return aborted
}
