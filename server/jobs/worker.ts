import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

import { removeWorkers, sendHeartbeat } from './heartbeat.ts'
import { startGroup, type WorkerGroup, type WorkerOptions } from './worker-group.ts'
import { startWakeUps } from './wake-ups.ts'
import { workerGroupNames, type WorkerGroupName } from './worker-groups.ts'

const heartbeatMs = 2_500

export interface JobWorker {
  /** Stops fetching jobs and waits for the running ones. Jobs of a process that ends before that are unlocked by other nodes. */
  close(): Promise<void>
  /** Whether new jobs wake this node; otherwise it looks for them every two seconds. */
  isListening(): boolean
}

/** Runs jobs on this node, in groups that do not wait for each other. */
export async function startWorker(options: WorkerOptions): Promise<JobWorker> {
  const { db, database, log, observer } = options
  // In containers, other nodes can have the same name and process id.
  const node = `${hostname()}:${process.pid}:${randomUUID()}`
  const startedGroups = await Promise.all(
    workerGroupNames.map(async (name): Promise<[WorkerGroupName, WorkerGroup]> => [
      name,
      await startGroup(name, options),
    ]),
  )
  const groupsByName = new Map(startedGroups)
  const workerGroups = [...groupsByName.values()]
  const wakeUps = startWakeUps({ db, database, log, wake: (name, jobs) => groupsByName.get(name)?.wake(jobs) })
  const sendHeartbeats = (): void =>
    void sendHeartbeat(
      db,
      node,
      workerGroups.map(({ workerId }) => workerId()),
    ).then(
      (jobs) => observer?.onUnlocked(jobs),
      (error: unknown) => log.debug({ err: error }, 'the heartbeat could not be written'),
    )
  sendHeartbeats()
  const heartbeatTimer = setInterval(sendHeartbeats, heartbeatMs)

  return {
    isListening: wakeUps.isListening,
    async close() {
      await Promise.all([wakeUps.close(), ...workerGroups.map((group) => group.stop())])
      clearInterval(heartbeatTimer)
      await removeWorkers(db, node).catch(() => {})
    },
  }
}
