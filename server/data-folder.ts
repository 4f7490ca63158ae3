import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, chmod, mkdir, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beat, livingStranger, ownRealm, parseHolder, type Holder } from './heartbeat.ts'
import { lockMachine, type MachineLock } from './machine-lock.ts'
import { StartProblem, systemCode } from './start-problem.ts'

/** The exclusive right to a data folder. */
export interface Hold {
  /** Adds what was not known at the start: the address, or that this program is ending and the next may wait for it. */
  tell(more: { address?: string; stopping?: boolean }): void
  /** Resolves, with a sentence, when a program elsewhere took the folder while this one was frozen: end at once. */
  lost: Promise<string>
  release(): Promise<void>
}

const stoppingMs = 35_000
/** A program whose npm was killed notices within half a second and then says that it is stopping. */
const noticeMs = 1_500
const askAgainMs = 100

const named = (holder: Holder | undefined): string => {
  if (!holder) return 'a process that does not answer'
  const where = holder.host === hostname() ? '' : ` on ${holder.host}`
  const serving = holder.address ? `, serving ${holder.address}` : ''
  return `process ${holder.pid}${where}, started ${holder.since}${serving}`
}

const refusal = (dataDir: string, holder: Holder | undefined): StartProblem =>
  new StartProblem(
    `The data folder ${dataDir} is in use by another Keepsnap (${named(holder)}). Stop that one first, or give this one a folder of its own with DATA_DIR.`,
  )

/**
 * Makes the data folder if it is missing and checks that it can be used. Started by root, others may pass through it
 * (0711), because the database runs as a user of its own; they can list nothing.
 * @throws StartProblem when it cannot be made, is no folder, or belongs to somebody else
 */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  const root = process.geteuid?.() === 0
  try {
    const made = await mkdir(dataDir, { recursive: true, mode: root ? 0o711 : 0o700 })
    const { mode } = await stat(dataDir)
    if (root && (made || (mode & 0o111) !== 0o111)) await chmod(dataDir, made ? 0o711 : (mode & 0o777) | 0o111)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw await unusable(dataDir, error)
  }
}

const unusable = async (dataDir: string, error: unknown): Promise<StartProblem> => {
  const code = systemCode(error)
  return new StartProblem(
    `The data folder ${dataDir} cannot be used (${code || String(error)}). ${await adviceFor(dataDir, code)}`,
  )
}

async function adviceFor(dataDir: string, code: string): Promise<string> {
  if (code === 'EEXIST' || code === 'ENOTDIR')
    return 'Something that is no folder stands in its way: move that, or set DATA_DIR to another place.'
  if (code === 'EROFS' || code === 'ENOSPC') return 'Its disk is full or read-only: set DATA_DIR to another place.'
  const owner = (await stat(dataDir).catch(() => undefined))?.uid
  if (owner === undefined)
    return 'Make the folder yourself and give it to the user that starts Keepsnap, or set DATA_DIR to another place.'
  return `It belongs to user id ${owner} and Keepsnap was started by user id ${process.geteuid?.()}: start it as the owner or as root, or give it away with chown -R, or set DATA_DIR to another place.`
}

/** The lock, or nothing when the folder stays in the hands of another; waits only for one that says it is stopping. */
async function takeLock(name: string, answer: () => string): Promise<MachineLock | Holder | undefined> {
  const begun = Date.now()
  for (;;) {
    const got = await lockMachine(name, answer)
    if (typeof got !== 'string') return got
    const holder = parseHolder(got)
    if (Date.now() - begun > (holder?.stopping ? stoppingMs : noticeMs)) return holder
    await delay(askAgainMs)
  }
}

/**
 * Takes the data folder for this process alone. The kernel gives it back when the process ends, kill -9 included.
 * Programs that cannot see this one's lock (other containers) are kept out by a file that is touched every 2 s.
 * Expects a folder made by `prepareDataFolder`.
 * @throws StartProblem naming the program that has it
 */
export async function holdDataFolder(dataDir: string, about: { address?: string } = {}): Promise<Hold> {
  const folder = resolve(dataDir)
  const { dev, ino } = await stat(folder, { bigint: true })
  const file = join(folder, 'holder.json')
  const own: Holder = {
    token: randomUUID(),
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    realm: ownRealm(),
    ...about,
  }

  const lock = await takeLock(`${dev}-${ino}`, () => JSON.stringify(own))
  if (!lock || !('release' in lock)) throw refusal(folder, lock)
  const stranger = await livingStranger(file)
  if (stranger) {
    await lock.release()
    throw refusal(folder, stranger)
  }
  const { promise: lost, resolve: lose } = Promise.withResolvers<string>()
  const startBeat = async () => {
    try {
      return beat(
        file,
        () => own,
        (by) => lose(refusal(folder, by).message),
      )
    } catch (error) {
      await lock.release()
      throw await unusable(folder, error)
    }
  }
  const pulse = await startBeat()
  return {
    tell(more) {
      Object.assign(own, more)
      pulse.write()
    },
    lost,
    async release() {
      pulse.end()
      await lock.release()
    },
  }
}
