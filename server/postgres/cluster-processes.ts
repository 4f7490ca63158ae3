import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { hasProc, isRunning, readProcessStat } from '../runtime/processes.ts'

/** A running PostgreSQL process; zombies are left out. */
export interface PostgresProcess {
  pid: number
  command: string
}

const processTitleOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function listPostgresProcesses(): PostgresProcess[] {
  if (hasProc) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => readProcessStat(pid).name === 'postgres' && isRunning(pid))
      .map((pid) => ({ pid, command: processTitleOf(pid) }))
  }
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,state=,command='], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, command = ''] = /^\s*(\d+)\s+[^\sZ]\S*\s(.*)$/.exec(line) ?? []
    return command.includes('postgres') ? [{ pid: Number(pid), command: command.trimStart() }] : []
  })
}

const hasWorkingDirectory = (pid: number, clusterFolder: { dev: number; ino: number }): boolean => {
  const workingDirectory = hasProc ? statSync(`/proc/${pid}/cwd`, { throwIfNoEntry: false }) : undefined
  return workingDirectory?.dev === clusterFolder.dev && workingDirectory.ino === clusterFolder.ino
}

/**
 * The running processes of a cluster. Their titles contain its name (the setting cluster_name), which every user can read.
 * A process that was started without the name is found by its working directory, where that is readable.
 */
export function clusterProcesses(clusterDir: string, name: string): PostgresProcess[] {
  const clusterFolder = statSync(clusterDir)
  return listPostgresProcesses().filter(({ pid, command }) => {
    if (command.includes(name)) return true
    try {
      return hasWorkingDirectory(pid, clusterFolder)
    } catch {
      return false
    }
  })
}
