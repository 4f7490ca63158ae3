import { buffer } from 'node:stream/consumers'
import type { Storage } from '../ports/storage/storage.ts'

/** Small objects that were sent lately, at hand. */
export interface Shelf {
  /** The bytes of a stored object; undefined when it is too large for here, null when there is none. */
  take(key: string, bytes: number): Promise<Buffer | undefined | null>
}

const mostBytes = 16 * 1024 * 1024
const smallBytes = 128 * 1024

/**
 * Keeps the bytes of small objects in memory, those sent last the longest: a thumbnail on fifty screens is read once.
 * Keys are written once, so what is kept never becomes wrong; who may have it was decided before.
 */
export function createShelf(storage: Storage): Shelf {
  const kept = new Map<string, Buffer>()
  let bytesKept = 0
  const keep = (key: string, bytes: Buffer): void => {
    if (kept.has(key)) return
    kept.set(key, bytes)
    bytesKept += bytes.length
    for (const [oldest, { length }] of kept) {
      if (bytesKept <= mostBytes) return
      kept.delete(oldest)
      bytesKept -= length
    }
  }
  return {
    async take(key, bytes) {
      if (bytes > smallBytes) return undefined
      const there = kept.get(key)
      if (there) {
        kept.delete(key)
        kept.set(key, there)
        return there
      }
      const stream = await storage.open(key)
      if (!stream) return null
      const read = await buffer(stream)
      keep(key, read)
      return read
    },
  }
}
