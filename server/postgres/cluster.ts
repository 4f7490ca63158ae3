import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StartupError } from '../runtime/startup-error.ts'
import { parentDeathSignal } from '../runtime/processes.ts'
import { changeOwner, isReachable } from './folder-access.ts'
import type { DatabaseUser } from './database-user.ts'

export const superuser = 'keepsnap'
export const databaseName = 'keepsnap'

/** A PostgreSQL cluster: its data directory, its binaries and its user. */
export interface Cluster {
  /** The folder that holds PostgreSQL's `bin`. */
  native: string
  dir: string
  user: DatabaseUser | undefined
}

const initdbTimeoutMs = 120_000
/** The file descriptor of the cluster's folder in a child process that cannot enter the folders above it. */
const inheritedFd = 3

/**
 * The path by which a child process opens a cluster. When the database's user cannot enter a folder above it (a project in
 * root's home), the folder is opened here and passed as a file descriptor. Call `close` after starting the child.
 */
export function openClusterFolder(
  dir: string,
  user: DatabaseUser | undefined,
): { path: string; fds: number[]; close(): void } {
  if (!user || isReachable(dirname(dir), user)) return { path: dir, fds: [], close: () => {} }
  if (process.platform !== 'linux') {
    throw new StartupError(
      `The database's user (id ${user.uid}) cannot enter the folders above ${dir}. Open them with chmod a+x, or set DATA_DIR to another folder.`,
    )
  }
  const fd = openSync(dir, 'r')
  return { path: `/proc/self/fd/${inheritedFd}`, fds: [fd], close: () => closeSync(fd) }
}

async function initdb({ native, dir, user }: Cluster, durable: boolean): Promise<void> {
  const folder = openClusterFolder(dir, user)
  const args = [
    '-D',
    folder.path,
    '-U',
    superuser,
    '--auth=trust',
    '--locale=C.UTF-8',
    '--encoding=UTF8',
    '--data-checksums',
    '--no-instructions',
  ]
  const command = [
    ...parentDeathSignal('KILL'),
    join(native, 'bin', 'initdb'),
    ...args,
    ...(durable ? [] : ['--no-sync']),
  ]
  const child = spawn(command[0] ?? '', command.slice(1), {
    ...user,
    cwd: '/',
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe', ...folder.fds],
    timeout: initdbTimeoutMs,
    killSignal: 'SIGKILL',
  })
  folder.close()
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-2_000)))
  const [code] = (await once(child, 'close')) as [number | null] // as documented for this event
  if (code === 0) return
  const advice = /could not look up effective user ID/.test(stderr)
    ? 'PostgreSQL needs a user with a name: add the user to /etc/passwd, or start Keepsnap as another user.'
    : 'Free some disk space, set DATA_DIR to a folder on another disk, or set DATABASE_URL to your own PostgreSQL.'
  throw new StartupError(
    `The database could not be created in ${dir}: ${stderr.trim() || `initdb ended with ${code}`}. ${advice}`,
  )
}

/** Creates the cluster under a temporary name first, so that an interrupted one is never taken for a complete one. */
async function createCluster(cluster: Cluster, durable: boolean): Promise<void> {
  const { dir, user } = cluster
  for (const name of readdirSync(dirname(dir))) {
    if (name.startsWith(`${basename(dir)}.new-`))
      rmSync(join(dirname(dir), name), { recursive: true, force: true, maxRetries: 5 })
  }
  const unfinished = mkdtempSync(`${dir}.new-`)
  if (user) chownSync(unfinished, user.uid, user.gid)
  await initdb({ ...cluster, dir: unfinished }, durable)
  renameSync(unfinished, dir)
  if (!durable) return
  const parent = openSync(dirname(dir), 'r')
  fsyncSync(parent)
  closeSync(parent)
}

/**
 * Makes sure that `cluster.dir` is a cluster of our PostgreSQL version that belongs to the database's user; creates it when
 * it is missing.
 * @throws StartupError when it was made by another major version, or belongs to another user and this is not root
 */
export async function prepareCluster(cluster: Cluster, ownMajor: number, durable: boolean): Promise<void> {
  const { dir, user } = cluster
  const owner = statSync(dir, { throwIfNoEntry: false })?.uid
  if (owner !== undefined && !user && owner !== process.geteuid?.()) {
    throw new StartupError(
      `The database in ${dir} belongs to user id ${owner} and Keepsnap was started by user id ${process.geteuid?.()}. Start it as root, as before, or give everything in ${dirname(dir)} to this user with chown -R.`,
    )
  }
  if (owner === undefined || readdirSync(dir).length === 0) await createCluster(cluster, durable)
  if (user) changeOwner(dir, user)
  const versionFile = join(dir, 'PG_VERSION')
  if (!existsSync(versionFile))
    throw new StartupError(
      `The folder ${dir} is in the way: it contains something other than a database. Move it elsewhere.`,
    )
  const major = Number(readFileSync(versionFile, 'utf8'))
  if (major !== ownMajor) {
    throw new StartupError(
      `The database in ${dir} was made by PostgreSQL ${major} and this Keepsnap includes PostgreSQL ${ownMajor}. Make a backup with the Keepsnap that made it, and restore that with this one into an empty DATA_DIR.`,
    )
  }
}
