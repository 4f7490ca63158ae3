import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { newId } from '../lib/ids.ts'
import { StorageDown, type Storage } from '../ports/storage/storage.ts'
import type { Throttle } from './throttle.ts'

/** Where a file is copied from and to. */
export interface CopyPlaces {
  from: Storage
  to: Storage
  /** Whether `to` is the store in use: then nothing that it has is replaced. */
  isTargetInUse: boolean
  /** A folder of this process, on the file system of the disk store. */
  scratchDir: string
  throttle: Throttle
}

/** Both stores have a file, with different bytes. */
export class ContentMismatch extends Error {
  override readonly name = 'ContentMismatch'
}

interface Fingerprint {
  bytes: number
  sha256: string
}

async function fingerprintOf(stream: Readable, throttle: Throttle): Promise<Fingerprint> {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    // Streams of files and responses have no encoding, so their chunks are buffers.
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      await throttle(chunk.length)
      hash.update(chunk)
      bytes += chunk.length
    }
  } catch (error) {
    throw new StorageDown('a file could not be read to its end', { cause: error })
  }
  return { bytes, sha256: hash.digest('hex') }
}

const isSameFile = (one: Fingerprint, other: Fingerprint): boolean =>
  one.bytes === other.bytes && one.sha256 === other.sha256

/** Only a bucket stores the content type, and nothing relies on it: every response sets its own. */
const type = 'application/octet-stream'
const attemptsMax = 3

/** Stores a local file in the target and reads it back. */
async function storeChecked(
  { to, scratchDir, throttle }: CopyPlaces,
  key: string,
  { path, original }: { path: string; original: Fingerprint },
): Promise<boolean> {
  const copyPath = join(scratchDir, newId())
  try {
    await link(path, copyPath)
    await to.moveIn(key, copyPath, { type })
  } finally {
    await rm(copyPath, { force: true })
  }
  const stored = await to.open(key)
  return stored !== null && isSameFile(await fingerprintOf(stored, throttle), original)
}

/**
 * Copies a file and reads the copy back; resolves with its number of bytes, or null when the source no longer has it.
 * Can be interrupted and retried: an existing copy is compared instead of stored again.
 */
export async function copyFile(places: CopyPlaces, key: string): Promise<number | null> {
  const { from, to, isTargetInUse, scratchDir, throttle } = places
  const path = join(scratchDir, newId())
  try {
    if (!(await from.linkTo(key, path))) return null
    const original = await fingerprintOf(createReadStream(path), throttle)
    const existing = await to.open(key)
    if (existing) {
      if (isSameFile(await fingerprintOf(existing, throttle), original)) return original.bytes
      if (isTargetInUse) throw new ContentMismatch(key)
      await to.remove([key])
    }
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      if (await storeChecked(places, key, { path, original })) return original.bytes
      await to.remove([key])
    }
    throw new StorageDown(`the target does not give back the bytes of ${key} that were stored there`)
  } finally {
    await rm(path, { force: true })
  }
}
