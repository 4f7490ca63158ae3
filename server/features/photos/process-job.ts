import { sql } from 'kysely'
import { slowJobsAtOncePerOwner } from '../../jobs/jobs.ts'
import type { NewJob } from '../../jobs/queue.ts'

/** A photo to process, and how much work of its owner is already waiting. */
export interface PhotoToProcess {
  id: string
  userId: string
  /** Null for a quick one. */
  slowMs: number | null
  /** The number of the owner's photos that wait. */
  waiting?: number
  /** How long the owner's slow photos that wait will take. */
  waitingSlowMs?: number
}

/**
 * The job that processes a photo (fair queueing between owners). The priority of a quick photo falls with the number of
 * its owner's waiting photos. A slow photo is scheduled as if its owner had uploaded one at a time, as fast as they are
 * processed: so no owner waits for another's batch, and no batch starves.
 */
export function processJobOf({
  id,
  userId,
  slowMs,
  waiting = 0,
  waitingSlowMs = 0,
}: PhotoToProcess): NewJob<'process-photo' | 'process-slow-photo'> {
  const job = { payload: { photoId: id }, key: `photo:${id}` }
  if (slowMs === null) return { ...job, name: 'process-photo', priorityOffset: waiting }
  return {
    ...job,
    name: 'process-slow-photo',
    sequence: `slow:${userId}:${waiting % slowJobsAtOncePerOwner}`,
    // In the past, so that every job may start at once.
    at: sql<Date>`now() - interval '15 minutes' + least(interval '14 minutes', ${waitingSlowMs}::float8 * interval '1 millisecond')`,
  }
}
