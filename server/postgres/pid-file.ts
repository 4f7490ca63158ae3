import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemCode } from '../runtime/startup-error.ts'

/** The contents of postmaster.pid, which a postmaster writes into its cluster. The file of a killed postmaster remains. */
export interface PidFile {
  pid: number
  port: number
  socketDir: string
  /** `starting`, `ready`, `stopping` or `standby`; empty at first. */
  status: string
}

/** @returns undefined when the file does not exist; other errors are thrown */
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
