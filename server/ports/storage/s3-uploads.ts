import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Transform, type Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { s3ErrorAsStorageDown, s3Response, s3ResponseOrNull, shortCall, type Bucket } from './s3-client.ts'
import { checkKey, StorageDown } from './storage.ts'

const megabyte = 1024 * 1024
/**
 * Files are sent in parts of 8 MB, each of which can be attempted again; smaller ones in one call. Streams of unknown length
 * have larger parts, because a store takes at most 10,000.
 */
const partBytes = { file: 8 * megabyte, stream: 16 * megabyte }
/** Parts of one upload that are in memory and being sent. */
const partsAtOnce = 2

/** Size of an object in bytes; null when there is none. */
export async function sizeInBucket({ client, name: Bucket }: Bucket, key: string): Promise<number | null> {
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
export async function putFile(
  bucket: Bucket,
  key: string,
  { path, type }: { path: string; type: string },
): Promise<void> {
  const { size } = await stat(path)
  const sendFile = (): Promise<void> =>
    send(bucket, key, { body: createReadStream(path), type, partSize: partBytes.file })
  await (size < partBytes.file ? sendFile() : bucket.largeUploads.add(sendFile))
  await confirmSize(bucket, key, size)
}

/** Stores a stream under a key without keeping it on this machine; its number of bytes. */
export async function putStream(
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
export async function abortUnfinished({ client, name: Bucket }: Bucket, before: Date): Promise<number> {
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
