import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import type { Storage } from '../ports/storage/storage.ts'

/** The bytes of small stored objects that were sent recently. */
export interface ResponseCache {
  /** The bytes of an object; undefined when it is too large for the cache, null when it does not exist. */
  get(key: string, bytes: number): Promise<Buffer | undefined | null>
}

const maxCacheBytes = 16 * 1024 * 1024
const maxCachedObjectBytes = 128 * 1024

/**
 * Reads a small object once for all screens that show it. Objects are never overwritten, so cached bytes cannot be out
 * of date; the caller decides beforehand who may have them.
 */
export function createResponseCache(storage: Storage): ResponseCache {
  const objectCache = new LRUCache<string, Buffer>({
    maxSize: maxCacheBytes,
    // The library refuses a size of 0.
    sizeCalculation: ({ length }) => Math.max(length, 1),
    // A read is not aborted when its entry is evicted: its callers need the result.
    ignoreFetchAbort: true,
    async fetchMethod(key) {
      const stream = await storage.open(key)
      return stream ? buffer(stream) : undefined
    },
  })
  return {
    async get(key, bytes) {
      if (bytes > maxCachedObjectBytes) return undefined
      return (await objectCache.fetch(key)) ?? null
    },
  }
}
