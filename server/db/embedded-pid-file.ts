import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemCode } from '../start-problem.ts'

/** What a postmaster writes of itself into its cluster; the file of a killed one stays. */
export interface PidFile {
  pid: number
  port: number
  socketDir: string
  /** `starting`, `ready`, `stopping`, `standby`; empty in the first moment. */
  status: string
}

/** @returns undefined when there is none; other failures to read are thrown */
export function readPidFile(clusterDir: string): PidFile | undefined {
  try {
    const [pid, , , port, socketDir = '', , , status = ''] = readFileSync(
      join(clusterDir, 'postmaster.pid'),
      'utf8',
    ).split('\n')
    return { pid: Number(pid), port: Number(port), socketDir, status: status.trim() }
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return undefined
    throw error
  }
}
