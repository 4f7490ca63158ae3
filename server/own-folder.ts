import { mkdir, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isSameProcess, ownProcess } from './db/embedded-processes.ts'

/**
 * A folder of this process alone, below one that others of this machine and of other machines may share. What dead
 * processes of this machine left there is removed.
 */
export async function ownFolder(parent: string): Promise<string> {
  const host = hostname().replace(/[^\w.-]/g, '_')
  await mkdir(parent, { recursive: true, mode: 0o711 })
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${host}@`)) continue
    if (!isSameProcess(name.slice(host.length + 1))) await rm(join(parent, name), { recursive: true, force: true })
  }
  const folder = join(parent, `${host}@${ownProcess()}`)
  await mkdir(folder, { recursive: true, mode: 0o711 })
  return folder
}
