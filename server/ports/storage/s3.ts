import { createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { GetObjectCommand, HeadBucketCommand, paginateListObjectsV2, PutObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import PQueue from 'p-queue'
import { retention } from '@keepsnap/contract/retention.ts'
import { newId } from '../../lib/ids.ts'
import { diskErrorAsStorageDown as asDiskDown } from './disk-files.ts'
import {
  s3ErrorAsStorageDown,
  openBucket,
  removeVersions,
  s3Response,
  s3ResponseOrNull,
  shortCall,
  type Bucket,
} from './s3-client.ts'
import { abortUnfinished, putFile, putStream, sizeInBucket } from './s3-uploads.ts'
import type { S3Config } from './storage-settings.ts'
import {
  checkKey,
  installationIn,
  keyPattern,
  markName,
  markText,
  StorageDown,
  type ByteSpan,
  type ListedObject,
  type StagedObject,
  type Storage,
} from './storage.ts'

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

/** A file on its way into the bucket. */
async function stagedFile(bucket: Bucket, path: string): Promise<StagedObject> {
  const { size } = await stat(path)
  return {
    bytes: size,
    linkTo: (target) => linkOrCopy(path, target),
    commit: (key, { type }) => moveFile(bucket, key, { path, type }),
    discard: () => removeFile(path),
  }
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

async function removeObjects(bucket: Bucket, keys: readonly string[]): Promise<void> {
  const removals = new PQueue({ concurrency: removalsAtOnce })
  const results = await Promise.allSettled(keys.map((key) => removals.add(() => removeVersions(bucket, key))))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
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
      return stagedFile(bucket, path)
    },
    storeLarge: (key, upload) => putStream(bucket, key, upload),
    moveIn: (key, localPath, { type }) => moveFile(bucket, key, { path: localPath, type }),
    linkTo: (key, localPath) => downloadTo(bucket, key, localPath),
    open: async (key, span) => getObject(bucket, checkKey(key), span),
    sizeOf: (key) => sizeInBucket(bucket, key),
    remove: (keys) => removeObjects(bucket, keys),
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
