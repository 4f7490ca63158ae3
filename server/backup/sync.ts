import { open, type FileHandle } from 'node:fs/promises'
import { systemCode } from '../runtime/startup-error.ts'

/** What file systems answer that cannot sync, such as some of networks and those that a program provides. */
const unsupportedCodes = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM', 'EACCES', 'EBADF', 'EISDIR'])

let unsupportedCode: string | undefined

/**
 * What the file system answered since the last call, if it could not sync; the backup is complete then, but may not survive a
 * power failure.
 */
export function takeSyncProblem(): string | undefined {
  const code = unsupportedCode
  unsupportedCode = undefined
  return code
}

/** Syncs a file or a folder to disk, where its file system can. */
export async function syncHandle(handle: FileHandle): Promise<void> {
  try {
    await handle.sync()
  } catch (error) {
    if (!unsupportedCodes.has(systemCode(error))) throw error
    unsupportedCode = systemCode(error)
  }
}

/** Syncs a folder to disk, so that its entries survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await syncHandle(handle)
  } finally {
    await handle.close()
  }
}
