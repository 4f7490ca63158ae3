import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartupError } from '../runtime/startup-error.ts'
import { readPidFile } from './pid-file.ts'
import { isSameProcess } from '../runtime/processes.ts'
import { clusterProcesses, type PostgresProcess } from './cluster-processes.ts'

/** A custom PostgreSQL setting with the `ownProcessId` of the program that started the postmaster. */
export const launcherSetting = 'keepsnap.launcher'

const timeoutsMs = { stop: 25_000, quit: 3_000, kill: 5_000 }
const checkMs = 25

const sendSignal = (processes: readonly PostgresProcess[], name: NodeJS.Signals): void => {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name)
    } catch {
      // It has just ended.
    }
  }
}

/**
 * Stops the processes that an earlier program left running in this cluster and removes stale lock files, so that PostgreSQL
 * can start: a postmaster whose program was killed, backends whose postmaster was killed, a postmaster that is a zombie.
 * @throws StartupError when the program that started them is still running, or when they cannot be stopped
 */
export async function stopStaleProcesses(
  { clusterDir, name, socketDir }: { clusterDir: string; name: string; socketDir: string },
  log: Logger,
): Promise<void> {
  const alive = (): PostgresProcess[] => clusterProcesses(clusterDir, name)
  const endedWithin = async (ms: number): Promise<boolean> => {
    for (const end = performance.now() + ms; performance.now() < end; await delay(checkMs))
      if (alive().length === 0) return true
    return false
  }
  const found = alive()
  if (found.length > 0) {
    const postmaster = found.find(({ pid }) => pid === readPidFile(clusterDir)?.pid)
    const launcher = new RegExp(`${launcherSetting}=(\\d+-\\d+)`).exec(postmaster?.command ?? '')?.[1]
    if (launcher && isSameProcess(launcher)) {
      throw new StartupError(
        `The database in ${clusterDir} is in use by process ${launcher.split('-')[0]}. Stop that one first.`,
      )
    }
    log.info('stopping the PostgreSQL processes of a program that was killed')
    if (postmaster) sendSignal([postmaster], 'SIGINT')
    if (!(await endedWithin(postmaster ? timeoutsMs.stop : timeoutsMs.quit))) {
      sendSignal(alive(), 'SIGQUIT')
      if (!(await endedWithin(timeoutsMs.quit))) sendSignal(alive(), 'SIGKILL')
      if (!(await endedWithin(timeoutsMs.kill))) {
        throw new StartupError(
          `The database in ${clusterDir} is still in use by process ${alive()[0]?.pid}, which cannot be stopped. Restart the machine or the container.`,
        )
      }
    }
  }
  // No process of the cluster is left, so these are stale even if another process has the same id by now.
  rmSync(join(clusterDir, 'postmaster.pid'), { force: true })
  for (const file of readdirSync(socketDir))
    if (file.startsWith('.s.PGSQL.')) rmSync(join(socketDir, file), { force: true })
}
