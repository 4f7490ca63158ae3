import { ImageFailure } from '../images/sandbox/image-failure.ts'
import type { RunningJob } from '../images/sandbox/image-jobs.ts'
import type { ImagePool } from '../images/sandbox/image-pool.ts'
import { secondsSince, type Metrics } from './metrics.ts'

/** Measures the images that the processes of this node make. */
export function measuredImages(pool: ImagePool, metrics: Metrics): ImagePool {
  let running = 0
  const countFailure = (image: string, error: unknown): void => {
    const reason = error instanceof ImageFailure ? error.kind : 'error'
    metrics.count('keepsnap_image_failures_total', { image, reason })
  }
  const end = (image: string, startedAtMs: number): void => {
    running -= 1
    metrics.observe('keepsnap_image_duration_seconds', { image }, secondsSince(startedAtMs))
  }
  /** Follows a job from its start to its result. */
  const measure = async <J extends RunningJob<unknown> | undefined>(
    image: string,
    starting: Promise<J>,
  ): Promise<J> => {
    const startedAtMs = performance.now()
    running += 1
    try {
      const job = await starting
      if (!job) running -= 1
      else {
        const onEnd = (): void => end(image, startedAtMs)
        job.result.catch((error: unknown) => countFailure(image, error)).then(onEnd, onEnd)
      }
      return job
    } catch (error) {
      running -= 1
      throw error
    }
  }
  metrics.addSource({
    part: 'image processes',
    names: ['keepsnap_image_processes', 'keepsnap_image_jobs_running'],
    read: () => [
      { name: 'keepsnap_image_processes', labels: {}, value: pool.pids().length },
      { name: 'keepsnap_image_jobs_running', labels: {}, value: running },
    ],
  })
  return {
    ...pool,
    renderPhoto: (input, signal) => measure('photo', pool.renderPhoto(input, signal)),
    renderPhotoIfIdle: (input) => measure('photo', pool.renderPhotoIfIdle(input)),
    renderSingle: (kind, input, signal) => measure(kind, pool.renderSingle(kind, input, signal)),
  }
}
