import { readFileSync, readlinkSync } from 'node:fs'

/** What holds around an image process, as the kernel shows it now; words for the start line. */
export function describeIsolation(pid: number | undefined): string[] {
  const holds = ['own processes', 'empty environment', 'allow-listed decoders', 'scripts confined to their folder']
  if (pid === undefined || process.platform !== 'linux') return holds
  const [theirs, ours] = [statusOf(pid), statusOf('self')]
  const user = userOf(theirs)
  const isOther = user !== undefined && user !== userOf(ours)
  if (isOther) holds.push(`own user ${user}`)
  if (['CapPrm', 'CapEff', 'CapBnd'].every((set) => /^0+$/.test(theirs.get(set) ?? ''))) holds.push('no capabilities')
  if (theirs.get('NoNewPrivs') === '1') holds.push('no new privileges')
  const network = networkOf(pid)
  if (network && network !== networkOf('self')) holds.push('no network')
  const most = /^Max processes\s+(\d+)/m.exec(fileOf(pid, 'limits'))
  if (most && isOther) holds.push(`at most ${most[1]} threads`)
  holds.push('memory and time watched', 'low priority')
  return holds
}

const userOf = (status: Map<string, string>): string | undefined => status.get('Uid')?.split(/\s+/)[0]

function statusOf(pid: number | 'self'): Map<string, string> {
  const lines = fileOf(pid, 'status').split('\n')
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]))
}

function fileOf(pid: number | 'self', name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}

function networkOf(pid: number | 'self'): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`)
  } catch {
    return ''
  }
}
