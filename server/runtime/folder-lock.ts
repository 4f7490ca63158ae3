import { readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

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
export function parseLockOwner(text: string): LockOwner | undefined {
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
