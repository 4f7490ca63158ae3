import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartupError } from '../runtime/startup-error.ts'
import { readPidFile } from './pid-file.ts'
import { isSameProcess } from '../runtime/processes.ts'
import { clusterProcesses, type PostgresProcess } from './cluster-processes.ts'

/** A custom PostgreSQL setting with the `ownProcessId` of the program that started the postmaster. */
export const launcherSetting = 'keepsnap.launcher'

const stopTimeoutsMs = { stop: 25_000, quit: 3_000, kill: 20_000 }
const exitCheckMs = 25

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
  const aliveProcesses = (): PostgresProcess[] => clusterProcesses(clusterDir, name)
  const endedWithin = async (ms: number): Promise<boolean> => {
    for (const waitEnd = performance.now() + ms; performance.now() < waitEnd; await wait(exitCheckMs))
      if (aliveProcesses().length === 0) return true
    return false
  }
  const staleProcesses = aliveProcesses()
  if (staleProcesses.length > 0) {
    const postmaster = staleProcesses.find(({ pid }) => pid === readPidFile(clusterDir)?.pid)
    const launcher = new RegExp(`${launcherSetting}=(\\d+-\\d+)`).exec(postmaster?.command ?? '')?.[1]
    if (launcher && isSameProcess(launcher)) {
      throw new StartupError(
        `The database in ${clusterDir} is in use by process ${launcher.split('-')[0]}. Stop that one first.`,
      )
    }
    log.info('stopping the PostgreSQL processes of a program that was killed')
    if (postmaster) sendSignal([postmaster], 'SIGINT')
    if (!(await endedWithin(postmaster ? stopTimeoutsMs.stop : stopTimeoutsMs.quit))) {
      sendSignal(aliveProcesses(), 'SIGQUIT')
      if (!(await endedWithin(stopTimeoutsMs.quit))) sendSignal(aliveProcesses(), 'SIGKILL')
      if (!(await endedWithin(stopTimeoutsMs.kill))) {
        throw new StartupError(
          `The database in ${clusterDir} is still in use by process ${aliveProcesses()[0]?.pid}, which cannot be stopped. Restart the machine or the container.`,
        )
      }
    }
  }
  // No process of the cluster is left, so these are stale even if another process has the same id by now.
  rmSync(join(clusterDir, 'postmaster.pid'), { force: true })
  for (const socketFile of readdirSync(socketDir))
    if (socketFile.startsWith('.s.PGSQL.')) rmSync(join(socketDir, socketFile), { force: true })
}
