import { execFileSync } from 'node:child_process'
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'

/** The machine and the commit that were measured. */
export interface Machine {
  cpu: string
  cores: number
  memoryGb: number
  kernel: string
  node: string
  commit: string
  /** Milliseconds to write 4 KB and sync it to disk, median. */
  diskSyncMs: number
  /** Load average of one minute before measuring. */
  loadBefore: number
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

function commitOf(): string {
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', '../server', '../contract', '*.ts')
    return git('rev-parse', '--short=12', 'HEAD') + (changed ? ', with changes' : '')
  } catch {
    return 'unknown'
  }
}

/** Describes the machine; `dir` is on the disk whose speed is measured. */
export function describeMachine(dir: string): Machine {
  const [loadBefore = 0] = loadavg()
  const path = join(dir, 'sync')
  const file = openSync(path, 'w')
  const syncTimes = Array.from({ length: 25 }, () => {
    writeSync(file, 'x'.repeat(4096))
    const startedAt = performance.now()
    fdatasyncSync(file)
    return performance.now() - startedAt
  })
  closeSync(file)
  rmSync(path)
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1e9),
    kernel: `${type()} ${release()}`,
    node: process.version,
    commit: commitOf(),
    diskSyncMs: Number(syncTimes.toSorted((a, b) => a - b)[12]!.toFixed(2)),
    loadBefore: Number(loadBefore.toFixed(2)),
  }
}
