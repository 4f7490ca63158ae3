import PQueue from 'p-queue'
import { limits } from '@keepsnap/contract/limits.ts'
import { Fault } from '../../faults.ts'

const maxWaitingUploads = 100
const defaultMaxWaitMs = 40_000

const tooManyUploads = (): Fault =>
  new Fault('rate_limited', 'Too many uploads at once. Please wait for the others to finish.', 5)

/** Limits the concurrent uploads, or other calls, of each user at this node; the others wait, up to 100 of them for at most 40 seconds. */
export function createUploadSlots({
  maxWaitMs = defaultMaxWaitMs,
  atOnce = limits.uploadsAtOncePerUser,
  tooMany = tooManyUploads,
}: { maxWaitMs?: number; atOnce?: number; tooMany?: () => Fault } = {}) {
  const uploadQueues = new Map<string, PQueue>()
  return async <T>(userId: string, runUpload: () => Promise<T>): Promise<T> => {
    const uploadQueue = uploadQueues.get(userId) ?? new PQueue({ concurrency: atOnce })
    uploadQueues.set(userId, uploadQueue)
    if (uploadQueue.size >= maxWaitingUploads) throw tooMany()
    const waitAbort = new AbortController()
    const waitTimeout = setTimeout(() => waitAbort.abort(tooMany()), maxWaitMs)
    const startUpload = (): Promise<T> => {
      clearTimeout(waitTimeout)
      return runUpload()
    }
    try {
      return await uploadQueue.add(startUpload, { signal: waitAbort.signal })
    } finally {
      clearTimeout(waitTimeout)
      if (uploadQueue.size === 0 && uploadQueue.pending === 0 && uploadQueues.get(userId) === uploadQueue)
        uploadQueues.delete(userId)
    }
  }
}
