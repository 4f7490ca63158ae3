import { readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

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

const touchMs = 2_000
const deadAfterMs = 7_000

const readOrEmpty = (read: () => string): string => {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Equal for two processes exactly when each sees the other's socket lock; empty where that is unknown. */
export const lockScope = (): string =>
  `${readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())} ${readOrEmpty(() => readlinkSync('/proc/self/ns/net'))}`.trim()

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

const touchedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/**
 * Watches the lock file of an owner whose socket lock is not visible here (another container, or another machine with the
 * same disk) for 7 s.
 * @returns the owner if it touched the file, undefined if it is dead
 */
export async function findActiveOwner(file: string): Promise<LockOwner | undefined> {
  const owner = parseLockOwner(readOrEmpty(() => readFileSync(file, 'utf8')))
  if (!owner || owner.realm === lockScope()) return undefined
  const before = touchedAt(file)
  for (const end = Date.now() + deadAfterMs; Date.now() < end;) {
    await delay(250)
    const now = touchedAt(file)
    if (!now) return undefined
    if (now !== before) return owner
  }
  return undefined
}

/**
 * Writes the lock file and touches it every 2 s. Calls `onLost` once when another program has replaced it.
 * @throws when the file cannot be written the first time
 */
export function maintainLockFile(file: string, owner: () => LockOwner, onLost: (newOwner: LockOwner) => void) {
  const write = (): void => {
    const temporary = `${file}.${process.pid}`
    writeFileSync(temporary, JSON.stringify(owner()), { mode: 0o600 })
    renameSync(temporary, file)
  }
  const ignoreErrors = (work: () => void): void => {
    try {
      work()
    } catch {
      // A full or missing disk must not end the process here; the next interval tries again.
    }
  }
  const readOwner = (): LockOwner | undefined => parseLockOwner(readOrEmpty(() => readFileSync(file, 'utf8')))
  write()
  const timer = setInterval(() => {
    const current = readOwner()
    if (current && current.token !== owner().token) {
      clearInterval(timer)
      onLost(current)
      return
    }
    ignoreErrors(() => (current ? utimesSync(file, new Date(), new Date()) : write()))
  }, touchMs)
  timer.unref()
  return {
    write: () => ignoreErrors(write),
    remove(): void {
      clearInterval(timer)
      ignoreErrors(() => {
        if (readOwner()?.token === owner().token) rmSync(file, { force: true })
      })
    },
  }
}
