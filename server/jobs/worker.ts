import { hostname } from 'node:os'
import { removeWorkers, sendHeartbeat } from './heartbeat.ts'
import { startGroup, type WorkerOptions } from './worker-group.ts'
import { workerGroupNames } from './worker-groups.ts'

const heartbeatMs = 2_500

export interface JobWorker {
  /** Stops fetching jobs and waits for the running ones. Jobs of a process that ends before that are unlocked by other nodes. */
  close(): Promise<void>
}

/** Runs jobs on this node, in groups that do not wait for each other. */
export async function startWorker(options: WorkerOptions): Promise<JobWorker> {
  const { db, log } = options
  const node = `${hostname()}:${process.pid}`
  const workerGroups = await Promise.all(workerGroupNames.map((name) => startGroup(name, options)))
  const sendHeartbeats = (): void =>
    void sendHeartbeat(
      db,
      node,
      workerGroups.map(({ workerId }) => workerId()),
    ).catch((error: unknown) => log.debug({ err: error }, 'the heartbeat could not be written'))
  sendHeartbeats()
  const heartbeatTimer = setInterval(sendHeartbeats, heartbeatMs)

  return {
    async close() {
      await Promise.all(workerGroups.map((group) => group.stop()))
      clearInterval(heartbeatTimer)
      await removeWorkers(db, node).catch(() => {})
    },
  }
}
