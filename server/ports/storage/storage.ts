import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'

/** A span of bytes, both ends included, as in an HTTP range. */
export interface Span {
  start: number
  end: number
}

/** One thing found in the store by `list`. */
export interface Listed {
  key: string
  bytes: number
  modifiedAt: Date
}

/**
 * Where bytes live. Keys are ours: `kind/` and 22 characters of base 62, written once, never changed. Storage knows no
 * users and no photos; who may read is decided before it is asked. When the store is
 * in trouble, calls reject with StorageDown.
 */
export interface Storage {
  readonly kind: 'disk' | 's3'
  /**
   * Stores a stream. When it resolves (with the number of bytes) they survive a power cut; when it rejects, nothing is
   * left under the key. `written` is told of each chunk that is not needed any more; `whole`, by stores on this machine, once
   * all bytes can be laid somewhere (`layAt`), although they are not safe yet; making them safe waits for it.
   */
  put(
    key: string,
    source: Readable,
    options: { type: string; signal?: AbortSignal; written?: (chunk: Buffer) => void; whole?: () => Promise<void> },
  ): Promise<number>
  /**
   * Takes over a finished local file of ours, just as durably; the file is gone from where it was. `seen` is called, by
   * stores on this machine, once the bytes can be read under the key and before they are safe: what has been seen stays
   * until it is removed, even when making it safe fails.
   */
  adopt(key: string, path: string, options: { type: string; seen?: () => void }): Promise<void>
  /** Makes the object readable at a local path that does not exist yet. False when there is no such object. */
  layAt(key: string, path: string): Promise<boolean>
  /** The bytes, or null when there are none under the key. The reader must consume or destroy the stream. */
  open(key: string, span?: Span): Promise<Readable | null>
  /** Where objects are files: the one under the key, opened for reading, or null. It must be closed. */
  openFile?(key: string): Promise<FileHandle | null>
  /** Size in bytes, null when there is no such object. */
  sizeOf(key: string): Promise<number | null>
  /** Removes objects with all their versions. Removing what is not there is no error. */
  remove(keys: readonly string[]): Promise<void>
  /** Everything stored, in no order, for comparison with the database. */
  list(): AsyncIterable<Listed>
  /** An address that gives the bytes to anybody for at most 60 s, or null when this storage has none. */
  presign(key: string, answer: { type: string; disposition: string }): Promise<string | null>
  /** Rejects when the store cannot be reached. */
  check(): Promise<void>
}

/** The store cannot do what was asked, for now: away, overloaded or full. Nothing was lost that had been stored. */
export class StorageDown extends Error {
  override readonly name = 'StorageDown'
}

/** The form of every key; implementations refuse others, so that no name from outside can become a path. */
export const keyPattern = /^[a-z]{1,16}\/[0-9A-Za-z]{22}$/

/** Refuses a key that is not ours: a bug, never a person's mistake. */
export function checkKey(key: string): string {
  if (!keyPattern.test(key)) throw new Error(`not a storage key: ${JSON.stringify(key.slice(0, 80))}`)
  return key
}
