import { mkdir, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isSameProcess, ownProcessId } from './processes.ts'

/**
 * Creates a folder for this process inside a parent that processes of this and other machines share. Removes the folders
 * of dead processes of this machine.
 */
export async function createProcessFolder(sharedParent: string): Promise<string> {
  const hostName = hostname().replace(/[^\w.-]/g, '_')
  await mkdir(sharedParent, { recursive: true, mode: 0o711 })
  for (const name of await readdir(sharedParent)) {
    if (!name.startsWith(`${hostName}@`)) continue
    if (!isSameProcess(name.slice(hostName.length + 1)))
      await rm(join(sharedParent, name), { recursive: true, force: true })
  }
  const processFolder = join(sharedParent, `${hostName}@${ownProcessId()}`)
  await mkdir(processFolder, { recursive: true, mode: 0o711 })
  return processFolder
}
