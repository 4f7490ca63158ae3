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
import { totalmem } from 'node:os'
import { StartupError } from '../../faults.ts'
import { parentDeathSignal } from '../process/processes.ts'
import { changeOwner, type DatabaseUser, isReachable } from './binaries.ts'

export const superuser = 'keepsnap'
export const databaseName = 'keepsnap'

/** A PostgreSQL cluster: its data directory, its binaries and its user. */
export interface Cluster {
  /** The folder that holds PostgreSQL's `bin`. */
  binariesDir: string
  clusterDir: string
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
  clusterDir: string,
  user: DatabaseUser | undefined,
): { path: string; fds: number[]; close(): void } {
  if (!user || isReachable(dirname(clusterDir), user)) return { path: clusterDir, fds: [], close: () => {} }
  if (process.platform !== 'linux') {
    throw new StartupError(
      `The database's user (id ${user.uid}) cannot enter the folders above ${clusterDir}. Open them with chmod a+x, or set DATA_DIR to another folder.`,
    )
  }
  const clusterFd = openSync(clusterDir, 'r')
  return { path: `/proc/self/fd/${inheritedFd}`, fds: [clusterFd], close: () => closeSync(clusterFd) }
}

async function initdb({ binariesDir, clusterDir, user }: Cluster, durable: boolean): Promise<void> {
  const openedFolder = openClusterFolder(clusterDir, user)
  const initdbArgs = [
    '-D',
    openedFolder.path,
    '-U',
    superuser,
    '--auth=trust',
    '--locale=C.UTF-8',
    '--encoding=UTF8',
    '--data-checksums',
    '--no-instructions',
  ]
  const initdbCommand = [
    ...parentDeathSignal('KILL'),
    join(binariesDir, 'bin', 'initdb'),
    ...initdbArgs,
    ...(durable ? [] : ['--no-sync']),
  ]
  const initdbProcess = spawn(initdbCommand[0] ?? '', initdbCommand.slice(1), {
    ...user,
    cwd: '/',
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe', ...openedFolder.fds],
    timeout: initdbTimeoutMs,
    killSignal: 'SIGKILL',
  })
  openedFolder.close()
  let stderr = ''
  initdbProcess.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-2_000)))
  const [exitCode] = (await once(initdbProcess, 'close')) as [number | null] // as documented for this event
  if (exitCode === 0) return
  const initdbAdvice = /could not look up effective user ID/.test(stderr)
    ? 'PostgreSQL needs a user with a name: add the user to /etc/passwd, or start Keepsnap as another user.'
    : 'Free some disk space, set DATA_DIR to a folder on another disk, or set DATABASE_URL to your own PostgreSQL.'
  throw new StartupError(
    `The database could not be created in ${clusterDir}: ${stderr.trim() || `initdb ended with ${exitCode}`}. ${initdbAdvice}`,
  )
}

/** Creates the cluster under a temporary name first, so that an interrupted one is never taken for a complete one. */
async function createCluster(cluster: Cluster, durable: boolean): Promise<void> {
  const { clusterDir, user } = cluster
  for (const name of readdirSync(dirname(clusterDir))) {
    if (name.startsWith(`${basename(clusterDir)}.new-`))
      rmSync(join(dirname(clusterDir), name), { recursive: true, force: true, maxRetries: 5 })
  }
  const unfinishedCluster = mkdtempSync(`${clusterDir}.new-`)
  if (user) chownSync(unfinishedCluster, user.uid, user.gid)
  await initdb({ ...cluster, clusterDir: unfinishedCluster }, durable)
  renameSync(unfinishedCluster, clusterDir)
  if (!durable) return
  const parentFolderFd = openSync(dirname(clusterDir), 'r')
  fsyncSync(parentFolderFd)
  closeSync(parentFolderFd)
}

/**
 * Makes sure that `clusterDir` is a cluster of our PostgreSQL version that belongs to the database's user; creates it when
 * it is missing.
 * @throws StartupError when it was made by another major version, or belongs to another user and this is not root
 */
export async function prepareCluster(cluster: Cluster, ownMajor: number, durable: boolean): Promise<void> {
  const { clusterDir, user } = cluster
  const clusterOwner = statSync(clusterDir, { throwIfNoEntry: false })?.uid
  if (clusterOwner !== undefined && !user && clusterOwner !== process.geteuid?.()) {
    throw new StartupError(
      `The database in ${clusterDir} belongs to user id ${clusterOwner} and Keepsnap was started by user id ${process.geteuid?.()}. Start it as root, as before, or give everything in ${dirname(clusterDir)} to this user with chown -R.`,
    )
  }
  if (clusterOwner === undefined || readdirSync(clusterDir).length === 0) await createCluster(cluster, durable)
  if (user) changeOwner(clusterDir, user)
  const versionFile = join(clusterDir, 'PG_VERSION')
  if (!existsSync(versionFile))
    throw new StartupError(
      `The folder ${clusterDir} is in the way: it contains something other than a database. Move it elsewhere.`,
    )
  const clusterMajor = Number(readFileSync(versionFile, 'utf8'))
  if (clusterMajor !== ownMajor) {
    throw new StartupError(
      `The database in ${clusterDir} was made by PostgreSQL ${clusterMajor} and this Keepsnap includes PostgreSQL ${ownMajor}. With the Keepsnap that made it, run "npm run keepsnap -- backup DIR"; then set DATA_DIR to an empty folder, and with this one run "npm run keepsnap -- restore DIR".`,
    )
  }
}

/** Values that the settings of a cluster depend on. */
interface SettingsInput {
  socketDir: string
  /** Part of the title of every process of the cluster. */
  name: string
  /** False, for tests only: no protection against a crash of the machine, and more connections. */
  durable: boolean
}

const bytesPerMb = 1024 * 1024

/** A sixteenth of the memory of this machine or container, between 32 and 128 MB. */
const sharedBuffersMb = (): number => {
  const memoryLimit = process.constrainedMemory()
  const memory = memoryLimit > 0 ? Math.min(memoryLimit, totalmem()) : totalmem()
  return Math.round(Math.min(Math.max(memory / 16 / bytesPerMb, 32), 128))
}

/**
 * PostgreSQL's settings for one program on a small machine. It listens on a Unix socket only. It logs no rows and no
 * statements, because they contain personal data.
 */
export function postgresSettings({ socketDir, name, durable }: SettingsInput): Record<string, string | number> {
  return {
    listen_addresses: '',
    port: 5432,
    unix_socket_directories: `"${socketDir}"`,
    unix_socket_permissions: '0700',
    cluster_name: name,
    update_process_title: 'on',
    max_connections: 60,
    shared_buffers: `${sharedBuffersMb()}MB`,
    // For many small queries on few cores, parallel workers and compiled queries cost more than they save.
    jit: 'off',
    max_parallel_workers_per_gather: 0,
    max_parallel_maintenance_workers: 0,
    io_method: 'sync',
    random_page_cost: 1.1,
    huge_pages: 'off',
    // Without replicas the write-ahead log can be smaller, and recovery after a crash faster.
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_logical_replication_workers: 0,
    max_wal_size: '512MB',
    checkpoint_timeout: '10min',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '',
    // All tests share one cluster.
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: 250 }),
  }
}
