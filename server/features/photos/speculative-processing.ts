import type { PhotoJob } from '../../images/sandbox/image-jobs.ts'
import type { ImagePool } from '../../images/sandbox/image-pool.ts'

/**
 * Starts rendering photos before their upload is accepted: the file is complete, but not durable yet, and the client has no
 * answer. The job of an accepted photo claims the rendering instead of starting one. Without a claim nothing of it remains.
 */
export interface SpeculativeProcessing {
  /** From now on photos can start. Nodes that do not process photos never call this. */
  useImages(images: ImagePool): void
  /**
   * Starts rendering a photo if an image process is idle. Resolves when that process has the file, with the rendering if one
   * has started; its `cpuMs` can be read even after it has expired. Sync the file afterwards: renaming blocks while a
   * file is being synced. Never rejects.
   */
  start(photoId: string, writeInput: (path: string) => Promise<void>): Promise<PhotoJob | undefined>
  /** The photos whose renderings wait here for their jobs. */
  started(): string[]
  /** The rendering of a photo, if it was started here; the caller releases it. */
  claim(photoId: string): PhotoJob | undefined
  /** Gives up the rendering of a photo that will have no job, or whose job needs something else. */
  discard(photoId: string): void
}

interface StartedRendering {
  job: PhotoJob
  expiry: NodeJS.Timeout
}

const defaultExpireAfterMs = 20_000
/** Finished renderings that wait for their job keep files, but no process. */
const maxStartedRenderings = 8

/** Keeps at most eight started renderings, each for 20 seconds. */
export function createSpeculativeProcessing({ expireAfterMs = defaultExpireAfterMs } = {}): SpeculativeProcessing {
  const startedRenderings = new Map<string, StartedRendering>()
  let starting = 0
  let images: ImagePool | undefined
  const claim = (photoId: string): PhotoJob | undefined => {
    const startedRendering = startedRenderings.get(photoId)
    startedRenderings.delete(photoId)
    clearTimeout(startedRendering?.expiry)
    return startedRendering?.job
  }
  const discard = (photoId: string): void => void claim(photoId)?.release()
  return {
    useImages: (pool) => void (images = pool),
    started: () => [...startedRenderings.keys()],
    async start(photoId, writeInput) {
      if (!images || startedRenderings.size + starting >= maxStartedRenderings) return undefined
      starting++
      // If it fails, the upload goes on without it, and its job will say what is wrong.
      const job = await images.renderPhotoIfIdle({ writeInput }).catch(() => undefined)
      starting--
      if (!job) return undefined
      const expiry = setTimeout(() => discard(photoId), expireAfterMs).unref()
      startedRenderings.set(photoId, { job, expiry })
      return job
    },
    claim,
    discard,
  }
}
