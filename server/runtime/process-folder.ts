import { mkdir, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isSameProcess, ownProcessId } from './processes.ts'

/**
 * Creates a folder for this process inside a parent that processes of this and other machines share. Removes the folders
 * of dead processes of this machine.
 */
export async function createProcessFolder(parent: string): Promise<string> {
  const host = hostname().replace(/[^\w.-]/g, '_')
  await mkdir(parent, { recursive: true, mode: 0o711 })
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${host}@`)) continue
    if (!isSameProcess(name.slice(host.length + 1))) await rm(join(parent, name), { recursive: true, force: true })
  }
  const folder = join(parent, `${host}@${ownProcessId()}`)
  await mkdir(folder, { recursive: true, mode: 0o711 })
  return folder
}
