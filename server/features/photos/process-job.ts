import type { NewJob } from '../../jobs/queue.ts'
import type { TaskClass } from '../../images/sandbox/image-jobs.ts'

/** A photo to process. */
export interface PhotoToProcess {
  id: string
  userId: string
  /** How long it is going to take; null for a quick one. */
  slowMs: number | null
}

/** A file that is estimated at more than this is processed beside the others, one at a time on a node. */
export const maxSlowMs = 5_000

export const taskClassOf = (slowMs: number | null): TaskClass =>
  slowMs === null ? 'quick' : slowMs <= maxSlowMs ? 'slow' : 'long'

const jobNames = { quick: 'process-photo', slow: 'process-slow-photo', long: 'process-long-photo' } as const

/**
 * The job that is added with a photo. It processes the photo of its kind whose turn it is when it starts (`turns.ts`); versions
 * before 0045 process the one that it was added for. Those do not know long photos: because of the other key they add a job of
 * their own when they run alone.
 */
export const processJobOf = ({ id, slowMs }: PhotoToProcess): NewJob<(typeof jobNames)[TaskClass]> => {
  const taskClass = taskClassOf(slowMs)
  return {
    name: jobNames[taskClass],
    payload: { photoId: id },
    key: taskClass === 'long' ? `long-photo:${id}` : `photo:${id}`,
  }
}
