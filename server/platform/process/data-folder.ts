import { constants, readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { randomUUID } from 'node:crypto'
import { access, chmod, mkdir, stat } from 'node:fs/promises'
import { StartupError, systemCode } from '../../faults.ts'

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

/** The owner of a data folder's lock, as stored in the lock file and sent over the lock's socket. */
export interface LockOwner {
  /** Identifies this run of the program. */
  token: string
  pid: number
  host: string
  /** ISO 8601. */
  since: string
  address?: string
  stopping?: boolean
  /** The kernel and network namespace in which the owner's socket lock is visible. */
  realm: string
}

const lockTouchMs = 2_000
const ownerDeadAfterMs = 7_000

const readTextOrEmpty = (read: () => string): string => {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Equal for two processes exactly when each sees the other's socket lock; empty where that is unknown. */
export const lockScope = (): string =>
  `${readTextOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())} ${readTextOrEmpty(() => readlinkSync('/proc/self/ns/net'))}`.trim()

/** Parses a lock file or the answer of a lock's socket; undefined for anything else. */
function parseLockOwner(text: string): LockOwner | undefined {
  try {
    const owner = JSON.parse(text) as Partial<LockOwner> // checked in the next lines
    return typeof owner.token === 'string' &&
      typeof owner.pid === 'number' &&
      typeof owner.host === 'string' &&
      typeof owner.since === 'string' &&
      typeof owner.realm === 'string'
      ? (owner as LockOwner) // every required field was just checked
      : undefined
  } catch {
    return undefined
  }
}

const touchedAt = (lockFile: string): number => statSync(lockFile, { throwIfNoEntry: false })?.mtimeMs ?? 0

/**
 * Watches the lock file of an owner whose socket lock is not visible here (another container, or another machine with the
 * same disk) for 7 s.
 * @returns the owner if it touched the file, undefined if it is dead
 */
export async function findActiveOwner(lockFile: string): Promise<LockOwner | undefined> {
  const owner = parseLockOwner(readTextOrEmpty(() => readFileSync(lockFile, 'utf8')))
  if (!owner || owner.realm === lockScope()) return undefined
  const touchedBefore = touchedAt(lockFile)
  for (const watchEnd = Date.now() + ownerDeadAfterMs; Date.now() < watchEnd;) {
    await wait(250)
    const touchedNow = touchedAt(lockFile)
    if (!touchedNow) return undefined
    if (touchedNow !== touchedBefore) return owner
  }
  return undefined
}

/**
 * Writes the lock file and touches it every 2 s. Calls `onLost` once when another program has replaced it.
 * @throws when the file cannot be written the first time
 */
export function maintainLockFile(lockFile: string, owner: () => LockOwner, onLost: (newOwner: LockOwner) => void) {
  const ignoreErrors = (fileWork: () => void): void => {
    try {
      fileWork()
    } catch {
      // A full or missing disk must not end the process here; the next interval tries again.
    }
  }
  const writeLockFile = (): void => {
    const temporaryLockFile = `${lockFile}.${process.pid}`
    try {
      writeFileSync(temporaryLockFile, JSON.stringify(owner()), { mode: 0o600 })
      renameSync(temporaryLockFile, lockFile)
    } catch (error) {
      // On a full disk an empty file is left.
      ignoreErrors(() => rmSync(temporaryLockFile, { force: true }))
      throw error
    }
  }
  const readOwner = (): LockOwner | undefined => parseLockOwner(readTextOrEmpty(() => readFileSync(lockFile, 'utf8')))
  writeLockFile()
  const lockTouchTimer = setInterval(() => {
    const currentOwner = readOwner()
    if (currentOwner && currentOwner.token !== owner().token) {
      clearInterval(lockTouchTimer)
      onLost(currentOwner)
      return
    }
    ignoreErrors(() => (currentOwner ? utimesSync(lockFile, new Date(), new Date()) : writeLockFile()))
  }, lockTouchMs)
  lockTouchTimer.unref()
  return {
    write: () => ignoreErrors(writeLockFile),
    remove(): void {
      clearInterval(lockTouchTimer)
      ignoreErrors(() => {
        if (readOwner()?.token === owner().token) rmSync(lockFile, { force: true })
      })
    },
  }
}

/** Held until `release` or the end of this process, however it ends: the kernel releases it. */
interface SocketLock {
  release(): Promise<void>
}

const maxAnswerBytes = 4096
const answerTimeoutMs = 1_000
const maxLockAttempts = 20

/** On Linux an abstract socket, which vanishes with its process; elsewhere a socket file in the temporary folder. */
const socketPath = (name: string): string =>
  process.platform === 'linux' ? `\0keepsnap-${name}` : join(tmpdir(), `keepsnap-${name}.lock`)

async function listenOnLockSocket(lockAddress: string, ownAnswer: () => string): Promise<Server | undefined> {
  const lockServer = createServer((lockSocket) => {
    lockSocket.on('error', () => {})
    lockSocket.end(ownAnswer())
  })
  lockServer.maxConnections = 32
  lockServer.unref()
  try {
    await once(lockServer.listen(lockAddress), 'listening')
    return lockServer
  } catch (error) {
    if (systemCode(error) === 'EADDRINUSE') return undefined
    throw error
  }
}

/** The answer of the lock's owner: empty when it does not respond in time, undefined when nobody holds the lock. */
async function askLockOwner(lockAddress: string): Promise<string | undefined> {
  const lockSocket = connect(lockAddress)
  lockSocket.setEncoding('utf8').setTimeout(answerTimeoutMs, () => lockSocket.destroy())
  let ownerAnswer = ''
  try {
    for await (const part of lockSocket) {
      ownerAnswer += part
      if (ownerAnswer.length >= maxAnswerBytes) break
    }
  } catch (error) {
    if (['ECONNREFUSED', 'ENOENT'].includes(systemCode(error))) return undefined
  }
  return ownerAnswer
}

/**
 * Takes a lock that one process of this machine (on Linux: of this network namespace) can hold at a time.
 * @param ownAnswer sent to processes that want the same lock; at most 4096 bytes
 * @returns the lock, or the answer of its owner (empty when the owner does not respond)
 */
export async function acquireSocketLock(name: string, ownAnswer: () => string): Promise<SocketLock | string> {
  const lockAddress = socketPath(name)
  for (let lockAttempt = 0; lockAttempt < maxLockAttempts; lockAttempt++) {
    const lockServer = await listenOnLockSocket(lockAddress, ownAnswer)
    if (lockServer) return { release: () => new Promise((resolve) => void lockServer.close(() => resolve())) }
    const ownersAnswer = await askLockOwner(lockAddress)
    if (ownersAnswer !== undefined) return ownersAnswer
    // The owner ended between the two calls, or left its socket file behind.
    if (!lockAddress.startsWith('\0')) rmSync(lockAddress, { force: true })
  }
  return ''
}
