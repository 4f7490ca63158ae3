import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartProblem } from '../start-problem.ts'
import { readPidFile } from './embedded-pid-file.ts'
import { clusterProcesses, isSameProcess, type PostgresProcess } from './embedded-processes.ts'

/** PostgreSQL's setting that names the program which started a postmaster, as `ownProcess` spells it. */
export const launcherSetting = 'keepsnap.launcher'

const limitsMs = { ending: 25_000, quitting: 3_000, killed: 5_000 }
const lookMs = 25

const signal = (processes: readonly PostgresProcess[], name: NodeJS.Signals): void => {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name)
    } catch {
      // It ended in the meantime.
    }
  }
}

/**
 * Ends what an earlier program left running in this cluster and removes the locks of what is gone, so that PostgreSQL
 * can start: an orphan of a killed program, backends of a killed postmaster, a postmaster that nobody reaps.
 * @throws StartProblem when the program that started it still runs, or when it cannot be ended
 */
export async function settleRemains(
  { clusterDir, name, socketDir }: { clusterDir: string; name: string; socketDir: string },
  log: Logger,
): Promise<void> {
  const alive = (): PostgresProcess[] => clusterProcesses(clusterDir, name)
  const goneWithin = async (ms: number): Promise<boolean> => {
    for (const end = performance.now() + ms; performance.now() < end; await delay(lookMs))
      if (alive().length === 0) return true
    return false
  }
  const found = alive()
  if (found.length > 0) {
    const postmaster = found.find(({ pid }) => pid === readPidFile(clusterDir)?.pid)
    const launcher = new RegExp(`${launcherSetting}=(\\d+-\\d+)`).exec(postmaster?.command ?? '')?.[1]
    if (launcher && isSameProcess(launcher)) {
      throw new StartProblem(
        `The database in ${clusterDir} is in use by process ${launcher.split('-')[0]}. Stop that one first.`,
      )
    }
    log.info('waiting for the database of a program that was killed to end')
    if (postmaster) signal([postmaster], 'SIGINT')
    if (!(await goneWithin(postmaster ? limitsMs.ending : limitsMs.quitting))) {
      signal(alive(), 'SIGQUIT')
      if (!(await goneWithin(limitsMs.quitting))) signal(alive(), 'SIGKILL')
      if (!(await goneWithin(limitsMs.killed))) {
        throw new StartProblem(
          `The database in ${clusterDir} is still in use by process ${alive()[0]?.pid}, which cannot be ended. Restart the machine or the container.`,
        )
      }
    }
  }
  // Nobody is left, so these are stale, whatever process may carry the same id by now.
  rmSync(join(clusterDir, 'postmaster.pid'), { force: true })
  for (const file of readdirSync(socketDir))
    if (file.startsWith('.s.PGSQL.')) rmSync(join(socketDir, file), { force: true })
}
