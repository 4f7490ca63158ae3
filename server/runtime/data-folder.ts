import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, chmod, mkdir, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findActiveOwner, lockScope, maintainLockFile, parseLockOwner, type LockOwner } from './folder-lock.ts'
import { acquireSocketLock, type SocketLock } from './socket-lock.ts'
import { StartupError, systemCode } from './startup-error.ts'

/** The exclusive lock of a data folder. */
export interface FolderLock {
  /** Publishes the URL of this program, or that it is stopping, so that the next program waits for it. */
  update(lockChanges: { address?: string; stopping?: boolean }): void
  /** Resolves, with a message, when another program took the folder while this one was suspended: exit at once. */
  lost: Promise<string>
  release(): Promise<void>
}

const maxStoppingMs = 35_000
/** A program whose npm process was killed notices that within half a second, and then publishes that it is stopping. */
const maxUnnoticedMs = 1_500
const lockRetryMs = 100

const describeOwner = (owner: LockOwner | undefined): string => {
  if (!owner) return 'a process that does not respond'
  const ownerHost = owner.host === hostname() ? '' : ` on ${owner.host}`
  const ownerAddress = owner.address ? `, serving ${owner.address}` : ''
  return `process ${owner.pid}${ownerHost}, started ${owner.since}${ownerAddress}`
}

const dataFolderInUse = (dataDir: string, owner: string): StartupError =>
  new StartupError(
    `The data folder ${dataDir} is in use by another Keepsnap (${owner}). Stop that one first, or set DATA_DIR to another folder.`,
  )

/**
 * Creates the data folder if it is missing and checks that it can be used. A folder of root gets mode 0711: the database
 * runs as another user, who must enter the folder but cannot list it.
 * @throws StartupError when the folder cannot be created, is not a folder, or belongs to another user
 */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  const isRoot = process.geteuid?.() === 0
  try {
    const created = await createFolder(resolve(dataDir), isRoot ? 0o711 : 0o700)
    const { mode } = await stat(dataDir)
    if (isRoot && (created || (mode & 0o111) !== 0o111)) await chmod(dataDir, created ? 0o711 : (mode & 0o777) | 0o111)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw await folderUnusable(dataDir, error)
  }
}

/**
 * Creates a folder and those above it; whether it was missing. Node's own way never ends where the system says that the folder
 * above does not exist although it does, as in /proc.
 */
export async function createFolder(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode })
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST' && (await stat(path)).isDirectory()) return false
    if (systemCode(error) !== 'ENOENT' || (await stat(dirname(path)).catch(() => undefined))) throw error
    await createFolder(dirname(path), mode)
    return createFolder(path, mode)
  }
}

const folderUnusable = async (dataDir: string, error: unknown): Promise<StartupError> => {
  const errorCode = systemCode(error)
  return new StartupError(
    `The data folder ${dataDir} cannot be used (${errorCode || String(error)}). ${await adviceFor(dataDir, errorCode)}`,
  )
}

async function adviceFor(dataDir: string, errorCode: string): Promise<string> {
  if (errorCode === 'EEXIST' || errorCode === 'ENOTDIR')
    return 'Something that is not a folder is in its place: move it, or set DATA_DIR to another folder.'
  if (errorCode === 'EROFS' || errorCode === 'ENOSPC')
    return 'Its disk is full or read-only: set DATA_DIR to a folder on another disk.'
  const owner = (await stat(dataDir).catch(() => undefined))?.uid
  if (owner === undefined)
    return 'Create the folder and make the user that starts Keepsnap its owner, or set DATA_DIR to another folder.'
  return `It belongs to user id ${owner} and Keepsnap was started by user id ${process.geteuid?.()}: start it as the owner or as root, change the owner with chown -R, or set DATA_DIR to another folder.`
}

/**
 * The lock, or the owner that keeps it (undefined when it has not responded for a while). Waits for an owner that is stopping,
 * also when its last answer is lost because it ends.
 */
async function waitForLock(name: string, lockAnswer: () => string): Promise<SocketLock | LockOwner | undefined> {
  const startedAt = Date.now()
  let lastAnswerAt = startedAt
  for (;;) {
    const socketLock = await acquireSocketLock(name, lockAnswer)
    if (typeof socketLock !== 'string') return socketLock
    const owner = parseLockOwner(socketLock)
    const waitedMs = Date.now() - (owner ? startedAt : lastAnswerAt)
    if (waitedMs > (owner?.stopping ? maxStoppingMs : maxUnnoticedMs)) return owner
    if (owner) lastAnswerAt = Date.now()
    await wait(lockRetryMs)
  }
}

/**
 * Locks the data folder for this process. The kernel releases the lock when the process ends, even by kill -9. Programs
 * that cannot see the lock, in other containers, see a lock file that is touched every 2 s. Call `prepareDataFolder` first.
 * @param inUse the error for a folder that is locked, with a description of the owner of the lock
 * @param unusable the error for one in which the lock cannot be written
 * @throws StartupError that names the owner of the lock
 */
export async function lockDataFolder(
  dataDir: string,
  inUse = dataFolderInUse,
  unusable: (folder: string, error: unknown) => unknown = folderUnusable,
): Promise<FolderLock> {
  const folderInUse = (folder: string, owner?: LockOwner): StartupError => inUse(folder, describeOwner(owner))
  const dataFolder = resolve(dataDir)
  const { dev, ino } = await stat(dataFolder, { bigint: true })
  const lockFilePath = join(dataFolder, 'holder.json')
  const ownLockOwner: LockOwner = {
    token: randomUUID(),
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    realm: lockScope(),
  }

  const socketLock = await waitForLock(`${dev}-${ino}`, () => JSON.stringify(ownLockOwner))
  if (!socketLock || !('release' in socketLock)) throw folderInUse(dataFolder, socketLock)
  const remoteOwner = await findActiveOwner(lockFilePath)
  if (remoteOwner) {
    await socketLock.release()
    throw folderInUse(dataFolder, remoteOwner)
  }
  const { promise: lost, resolve: onLost } = Promise.withResolvers<string>()
  const startLockFile = async () => {
    try {
      return maintainLockFile(
        lockFilePath,
        () => ownLockOwner,
        (newOwner) => onLost(folderInUse(dataFolder, newOwner).message),
      )
    } catch (error) {
      await socketLock.release()
      throw await unusable(dataFolder, error)
    }
  }
  const lockFile = await startLockFile()
  return {
    update(lockChanges) {
      Object.assign(ownLockOwner, lockChanges)
      lockFile.write()
    },
    lost,
    async release() {
      lockFile.remove()
      await socketLock.release()
    },
  }
}
