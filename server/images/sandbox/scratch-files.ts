import { chmod, chown, lstat, mkdir, readdir, rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { crashFailure } from './image-jobs.ts'

const maxOutputBytes = 1024 ** 3

/** Creates the folder of a slot. Only this program and the slot's image process can use it. */
export async function makeSlotFolder(dir: string, userId: number | null): Promise<void> {
  await mkdir(dir, { mode: 0o700 })
  if (userId === null) return
  // Our group keeps access: root without its capabilities has no other way into the folder.
  await chown(dir, userId, process.getgid?.() ?? 0)
  await chmod(dir, 0o770)
}

export interface FileIdentity {
  dev: number
  ino: number
  size: number
}

interface ClaimedFile {
  path: string
  bytes: number
}

/** Moves a file into the folder of a slot, readable by an image process with a user of its own. */
export async function moveInput(from: string, to: string): Promise<FileIdentity> {
  const { mode, dev, ino, size } = await lstat(from)
  if ((mode & 0o444) !== 0o444) await chmod(from, mode | 0o444)
  await rename(from, to)
  return { dev, ino, size }
}

/**
 * Moves the input of a job back out of the folder of a slot. Rejects when another file has taken its name. The image process
 * could only read the input.
 */
export async function reclaimInput(from: string, path: string, input: FileIdentity): Promise<ClaimedFile> {
  await rename(from, path).catch(() => Promise.reject(crashFailure()))
  const { dev, ino, size } = await lstat(path)
  if (dev !== input.dev || ino !== input.ino || size !== input.size) throw crashFailure()
  return { path, bytes: size }
}

/**
 * Moves an output file out of the folder of a slot. An attacker may have controlled the image process: only a regular file
 * without other links is accepted.
 */
export async function claimOutput(from: string, path: string): Promise<ClaimedFile> {
  await rename(from, path).catch(() => Promise.reject(crashFailure()))
  const file = await lstat(path)
  const { size, nlink, uid } = file
  if (!file.isFile() || nlink !== 1 || size === 0 || size > maxOutputBytes) throw crashFailure()
  const ownUserId = process.getuid?.()
  if (ownUserId !== undefined && uid !== ownUserId) await chown(path, ownUserId, process.getgid?.() ?? 0)
  await chmod(path, 0o644)
  return { path, bytes: size }
}

/** Removes those of the paths that exist, even if an image process has made a folder there. Never rejects. */
export async function removeFiles(paths: readonly string[], log: Logger): Promise<void> {
  await Promise.all(
    paths.map(async (path) => {
      try {
        await unlink(path)
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
        await rm(path, { recursive: true, force: true }).catch((problem: unknown) =>
          log.warn({ err: problem }, 'a scratch file could not be removed'),
        )
      }
    }),
  )
}

/** Removes everything in a folder, but not the folder. */
export async function emptyFolder(dir: string, log: Logger): Promise<void> {
  const names = await readdir(dir)
  await removeFiles(
    names.map((name) => join(dir, name)),
    log,
  )
}
