import { execFileSync, type StdioOptions } from 'node:child_process'
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { median } from './statistics.ts'

/** The machine and the versions that were measured. */
export interface Machine {
  cpu: string
  cores: number
  memoryGb: number
  kernel: string
  node: string
  versions: Record<string, string>
  commit: string
  /** Milliseconds to write 4 KB and sync it to disk, median. */
  diskSyncMs: number
  /** Load average of one minute before measuring. */
  loadBefore: number
}

const root = join(import.meta.dirname, '..')

function commitOf(): string {
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] satisfies StdioOptions } as const
  const git = (...args: string[]): string => execFileSync('git', args, options).trim()
  try {
    const changed = git(
      'status',
      '--porcelain',
      '--untracked-files=no',
      '--',
      'server',
      'contract',
      'bench',
      ':(exclude)bench/results',
    )
    return git('rev-parse', '--short=12', 'HEAD') + (changed ? ', with changes' : '')
  } catch {
    return 'unknown'
  }
}

function syncMs(dir: string): number {
  const path = join(dir, 'sync')
  const file = openSync(path, 'w')
  const times = Array.from({ length: 25 }, () => {
    writeSync(file, 'x'.repeat(4096))
    const startedAt = performance.now()
    fdatasyncSync(file)
    return performance.now() - startedAt
  })
  closeSync(file)
  rmSync(path)
  return Number(median(times).toFixed(2))
}

function versionOf(name: string): string {
  const path = join(root, 'node_modules', name, 'package.json')
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string } // every package.json has one
  return version
}

/** Describes the machine; `dir` is on the disk whose speed is measured. */
export function describeMachine(dir: string): Machine {
  const [loadBefore = 0] = loadavg()
  const names = ['fastify', 'pg', 'graphile-worker', 'ws', '@fastify/busboy']
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1e9),
    kernel: `${type()} ${release()}`,
    node: process.version,
    versions: {
      sharp: sharp.versions.sharp ?? '?',
      libvips: sharp.versions.vips,
      ...Object.fromEntries(names.map((name) => [name, versionOf(name)])),
    },
    commit: commitOf(),
    diskSyncMs: syncMs(dir),
    loadBefore: Number(loadBefore.toFixed(2)),
  }
}
