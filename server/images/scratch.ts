import { chmod, chown, lstat, mkdir, readdir, rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { crashed } from './failure.ts'

const maxOutputBytes = 1024 ** 3

/** A folder that one image process may write into, and nobody else but us. */
export async function makeSlotFolder(dir: string, user: number | null): Promise<void> {
  await mkdir(dir, { mode: 0o700 })
  if (user === null) return
  // Our group may enter too: a root without its capabilities has no other way in.
  await chown(dir, user, process.getgid?.() ?? 0)
  await chmod(dir, 0o770)
}

/** Which file it is that has a name. */
export interface Identity {
  dev: number
  ino: number
  size: number
}

/** Moves a file into an image process's folder, readable by a process with a user of its own. */
export async function handOver(from: string, to: string): Promise<Identity> {
  const { mode, dev, ino, size } = await lstat(from)
  if ((mode & 0o444) !== 0o444) await chmod(from, mode | 0o444)
  await rename(from, to)
  return { dev, ino, size }
}

/**
 * Moves a file that was handed over back among ours: that one, which the process could read and no more, and no other that
 * has taken its name.
 */
export async function takeBack(from: string, path: string, handed: Identity): Promise<{ path: string; bytes: number }> {
  await rename(from, path).catch(() => Promise.reject(crashed()))
  const { dev, ino, size } = await lstat(path)
  if (dev !== handed.dev || ino !== handed.ino || size !== handed.size) throw crashed()
  return { path, bytes: size }
}

/**
 * Moves a made file out of an image process's folder into ours. The process may have been in a stranger's hands: only a
 * plain file of its own goes on, not a link to anything else.
 */
export async function takeOut(from: string, path: string): Promise<{ path: string; bytes: number }> {
  await rename(from, path).catch(() => Promise.reject(crashed()))
  const file = await lstat(path)
  const { size, nlink, uid } = file
  if (!file.isFile() || nlink !== 1 || size === 0 || size > maxOutputBytes) throw crashed()
  const us = process.getuid?.()
  if (us !== undefined && uid !== us) await chown(path, us, process.getgid?.() ?? 0)
  await chmod(path, 0o644)
  return { path, bytes: size }
}

/** Removes what is there of these, whatever it is: a process may have made a folder of it. Never rejects. */
export async function removeAll(paths: readonly string[], log: Logger): Promise<void> {
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

/** Removes everything in a folder, and keeps the folder. */
export async function emptyFolder(dir: string, log: Logger): Promise<void> {
  const names = await readdir(dir)
  await removeAll(
    names.map((name) => join(dir, name)),
    log,
  )
}
