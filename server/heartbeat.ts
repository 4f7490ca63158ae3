import { readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Who holds a data folder, as written into it and as told to whoever asks. */
export interface Holder {
  token: string
  pid: number
  host: string
  /** ISO 8601. */
  since: string
  address?: string
  stopping?: boolean
  /** Names the kernel and network namespace in which the holder's lock can be seen. */
  realm: string
}

const beatMs = 2_000
const silentMs = 7_000

const readIf = (read: () => string): string => {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Equal for two processes exactly when a lock of the one is seen by the other; empty where that cannot be told. */
export const ownRealm = (): string =>
  `${readIf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())} ${readIf(() => readlinkSync('/proc/self/ns/net'))}`.trim()

/** Reads a holder's file or answer; undefined for anything else. */
export function parseHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder> // checked in the next line
    return typeof holder.token === 'string' &&
      typeof holder.pid === 'number' &&
      typeof holder.host === 'string' &&
      typeof holder.since === 'string' &&
      typeof holder.realm === 'string'
      ? (holder as Holder) // every required field was just checked
      : undefined
  } catch {
    return undefined
  }
}

const beatOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/**
 * Watches the file of a holder whose lock cannot be seen from here (another container, another machine on a shared
 * disk) for 7 s.
 * @returns that holder when it gave a sign of life, undefined when it is gone
 */
export async function livingStranger(file: string): Promise<Holder | undefined> {
  const holder = parseHolder(readIf(() => readFileSync(file, 'utf8')))
  if (!holder || holder.realm === ownRealm()) return undefined
  const before = beatOf(file)
  for (const end = Date.now() + silentMs; Date.now() < end;) {
    await delay(250)
    const now = beatOf(file)
    if (!now) return undefined
    if (now !== before) return holder
  }
  return undefined
}

/**
 * Writes the holder's file and keeps touching it, every 2 s; `onLost` is called once when another has taken it.
 * @throws when the file cannot be written the first time
 */
export function beat(file: string, holder: () => Holder, onLost: (by: Holder) => void) {
  const write = (): void => {
    const own = `${file}.${process.pid}`
    writeFileSync(own, JSON.stringify(holder()), { mode: 0o600 })
    renameSync(own, file)
  }
  const tryTo = (work: () => void): void => {
    try {
      work()
    } catch {
      // A full or absent disk must not end the program here; the next beat tries again.
    }
  }
  const readNow = (): Holder | undefined => parseHolder(readIf(() => readFileSync(file, 'utf8')))
  write()
  const timer = setInterval(() => {
    const now = readNow()
    if (now && now.token !== holder().token) {
      clearInterval(timer)
      onLost(now)
      return
    }
    tryTo(() => (now ? utimesSync(file, new Date(), new Date()) : write()))
  }, beatMs)
  timer.unref()
  return {
    write: () => tryTo(write),
    end(): void {
      clearInterval(timer)
      tryTo(() => {
        if (readNow()?.token === holder().token) rmSync(file, { force: true })
      })
    },
  }
}
