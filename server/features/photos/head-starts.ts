import type { ImageJob, MadeThumbnail } from '../../images/pictures.ts'
import type { ImagePool } from '../../images/pool.ts'

/** What a job brings once it has come for its photo. */
type Rest<T> = Pick<ImageJob<T>, 'onThumbnail' | 'take'>

/**
 * Photos that are being made while their upload is still being accepted: the file is whole, but not yet safe, and nobody
 * has been answered. A job that finds its photo here has less to wait for; without one, nothing of it stays.
 */
export interface HeadStarts {
  /** From now on photos can begin; nodes that only serve have nobody who makes them. */
  useProcesses(images: ImagePool): void
  /**
   * Begins a photo, if an image process has nothing else to do. Resolves when the process has its file, which then may
   * be synced: a file system that is at it makes everybody wait who moves the file. Never rejects.
   */
  begin(photoId: string, place: (path: string) => Promise<void>): Promise<void>
  /** Goes on with a photo as `ImagePool.render` does, from wherever it is; undefined when it was not begun. */
  take<T>(photoId: string, rest: Rest<T>): Promise<T> | undefined
  /** There will be no job, or one that wants something else. */
  drop(photoId: string): void
}

interface Begun {
  goOn(rest: Rest<unknown> | null): Promise<void>
  expiry: NodeJS.Timeout
}

const forgottenAfterMs = 20_000
/** Those that wait for their job hold files, and no process. */
const most = 8

export function createHeadStarts({ expireAfterMs = forgottenAfterMs } = {}): HeadStarts {
  const begun = new Map<string, Begun>()
  let images: ImagePool | undefined
  const out = (photoId: string): Begun | undefined => {
    const one = begun.get(photoId)
    begun.delete(photoId)
    clearTimeout(one?.expiry)
    return one
  }
  const drop = (photoId: string): void => void out(photoId)?.goOn(null)
  return {
    useProcesses: (pool) => void (images = pool),
    async begin(photoId, place) {
      if (!images?.isFree() || begun.size >= most) return
      const expiry = setTimeout(() => drop(photoId), expireAfterMs).unref()
      const { goOn, laid } = start(images, place)
      begun.set(photoId, { goOn, expiry })
      await laid
    },
    take<T>(photoId: string, rest: Rest<T>) {
      const one = out(photoId)
      return one && goOn(one, rest)
    },
    drop,
  }
}

async function goOn<T>(one: Begun, { onThumbnail, take }: Rest<T>): Promise<T> {
  let taken: T
  await one.goOn({ ...(onThumbnail && { onThumbnail }), take: async (made) => void (taken = await take(made)) })
  return taken! // or it had been rejected
}

/** Makes a photo up to the point where its files are to be moved away, which is for the rest to do. */
function start(
  images: ImagePool,
  place: (path: string) => Promise<void>,
): Pick<Begun, 'goOn'> & { laid: Promise<void> } {
  const { promise: laid, resolve: lie } = Promise.withResolvers<void>()
  const { promise: coming, resolve: come } = Promise.withResolvers<Rest<unknown> | null>()
  let thumbnail: MadeThumbnail | undefined
  let here: Rest<unknown> | null = null
  const made = images.render<void>({
    place,
    onLaid: lie,
    onThumbnail(its) {
      thumbnail = its
      here?.onThumbnail?.(its)
    },
    take: async (files) => void (await (await coming)?.take(files)),
  })
  // It may not even have come to laying the file.
  made.catch(() => {}).finally(lie)
  return {
    laid,
    goOn(rest) {
      here = rest
      if (thumbnail) rest?.onThumbnail?.(thumbnail)
      come(rest)
      return made
    },
  }
}
