import { readlinkSync } from 'node:fs'
import { readProcFile } from './read-proc-file.ts'

/** What isolates an image process, as the kernel reports it now; phrases for the start-up line. */
export function describeIsolation(pid: number | undefined): string[] {
  const measures = ['own processes', 'empty environment', 'allow-listed decoders', 'scripts confined to their folder']
  if (pid === undefined || process.platform !== 'linux') return measures
  const [status, ownStatus] = [readStatus(pid), readStatus('self')]
  const user = userOf(status)
  const hasOwnUser = user !== undefined && user !== userOf(ownStatus)
  if (hasOwnUser) measures.push(`own user ${user}`)
  if (['CapPrm', 'CapEff', 'CapBnd'].every((set) => /^0+$/.test(status.get(set) ?? '')))
    measures.push('no capabilities')
  if (status.get('NoNewPrivs') === '1') measures.push('no new privileges')
  const network = networkNamespaceOf(pid)
  if (network && network !== networkNamespaceOf('self')) measures.push('no network')
  const maxProcesses = /^Max processes\s+(\d+)/m.exec(readProcFile(`/proc/${pid}/limits`))?.[1]
  if (maxProcesses !== undefined && hasOwnUser) measures.push(`at most ${maxProcesses} threads`)
  measures.push('memory and time watched', 'low priority')
  return measures
}

const userOf = (status: Map<string, string>): string | undefined => status.get('Uid')?.split(/\s+/)[0]

function readStatus(pid: number | 'self'): Map<string, string> {
  const lines = readProcFile(`/proc/${pid}/status`).split('\n')
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]))
}

function networkNamespaceOf(pid: number | 'self'): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`)
  } catch {
    return ''
  }
}
