import { Logger as QueueLogger, makeWorkerUtils } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Logger } from 'pino'

/**
 * Removes the rows of sequences that have no jobs; the queue keeps one for every name that was ever used. A job that was
 * being added to such a sequence meanwhile would wait for ever, so it continues without one.
 */
export async function removeUnusedSequences({ pool, log }: { pool: Pool; log: Logger }): Promise<void> {
  const logger = new QueueLogger(() => (_level, message) => log.debug(message))
  const utils = await makeWorkerUtils({ pgPool: pool, logger })
  try {
    await utils.cleanup({ tasks: ['GC_JOB_QUEUES'] })
  } finally {
    await utils.release()
  }
  await pool.query(`
    update graphile_worker._private_jobs set job_queue_id = null
    where job_queue_id is not null and job_queue_id not in (select id from graphile_worker._private_job_queues)`)
}
