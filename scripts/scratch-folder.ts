import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memoryDir = '/dev/shm'
const roomBytes = 2 * 1024 ** 3
const prefix = 'keepsnap-test-'

/**
 * Creates the folder that holds everything that a test run writes: in memory where there is room, which saves a tenth
 * of the CPU time (thousands of database files are created and removed), otherwise among the temporary files.
 * Removes the folders of earlier runs that were ended before they could do it.
 */
export function createScratchFolder(parents = [memoryDir, tmpdir()]): string {
  for (const parent of parents) removeAbandoned(parent)
  const parent = parents.find(hasRoom) ?? tmpdir()
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
  chmodSync(folder, 0o1777) // some tests start programs as another user
  return folder
}

function hasRoom(parent: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(parent)
    return bavail * bsize >= roomBytes && canExecuteIn(parent)
  } catch {
    return false // only Linux has a folder in memory
  }
}

/** Tests execute scripts that they write; some systems forbid it for files in memory. */
function canExecuteIn(parent: string): boolean {
  const folder = mkdtempSync(join(parent, 'keepsnap-exec-'))
  try {
    const script = join(folder, 'script')
    writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 })
    return spawnSync(script).status === 0
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function removeAbandoned(parent: string): void {
  for (const name of listFolder(parent)) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1])
    if (Number.isNaN(pid) || isAlive(pid)) continue
    try {
      rmSync(join(parent, name), { recursive: true, force: true })
    } catch {
      // It belongs to another user.
    }
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
