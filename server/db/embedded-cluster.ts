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
import { StartProblem } from '../start-problem.ts'
import { endsWithUs } from './embedded-processes.ts'
import { giveTo, reachable } from './embedded-folders.ts'
import type { DatabaseUser } from './embedded-user.ts'

export const superuser = 'keepsnap'
export const databaseName = 'keepsnap'

/** A cluster and what it takes to run programs on it. */
export interface Cluster {
  /** The folder that holds PostgreSQL's `bin`. */
  native: string
  dir: string
  user: DatabaseUser | undefined
}

const initMs = 120_000
/** The number under which a child that may not pass the folders above the cluster finds the cluster opened. */
const openedAt = 3

/**
 * How a child gets at a cluster: by its path, or, where the database's user may not pass a folder above it (a project
 * in root's home), by the folder opened here and passed on. `close` after the child was started.
 */
export function wayInto(
  dir: string,
  user: DatabaseUser | undefined,
): { path: string; passed: number[]; close(): void } {
  if (!user || reachable(dirname(dir), user)) return { path: dir, passed: [], close: () => {} }
  if (process.platform !== 'linux') {
    throw new StartProblem(
      `The database's user (id ${user.uid}) may not pass the folders above ${dir}. Open them with chmod a+x, or set DATA_DIR to another place.`,
    )
  }
  const opened = openSync(dir, 'r')
  return { path: `/proc/self/fd/${openedAt}`, passed: [opened], close: () => closeSync(opened) }
}

async function initdb({ native, dir, user }: Cluster, durable: boolean): Promise<void> {
  const way = wayInto(dir, user)
  const args = [
    '-D',
    way.path,
    '-U',
    superuser,
    '--auth=trust',
    '--locale=C.UTF-8',
    '--encoding=UTF8',
    '--data-checksums',
    '--no-instructions',
  ]
  const words = [...endsWithUs('KILL'), join(native, 'bin', 'initdb'), ...args, ...(durable ? [] : ['--no-sync'])]
  const child = spawn(words[0] ?? '', words.slice(1), {
    ...user,
    cwd: '/',
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe', ...way.passed],
    timeout: initMs,
    killSignal: 'SIGKILL',
  })
  way.close()
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-2_000)))
  const [code] = (await once(child, 'close')) as [number | null] // as documented for this event
  if (code === 0) return
  const advice = /could not look up effective user ID/.test(complaint)
    ? 'PostgreSQL wants its user to have a name: add the user to /etc/passwd, or start Keepsnap as another user.'
    : 'Free some disk space or set DATA_DIR to another disk, or set DATABASE_URL to a PostgreSQL of your own.'
  throw new StartProblem(
    `The database could not be made in ${dir}: ${complaint.trim() || `initdb ended with ${code}`}. ${advice}`,
  )
}

/** Makes the cluster under a name of its own first, so that one which was cut short never looks like a whole one. */
async function makeCluster(cluster: Cluster, durable: boolean): Promise<void> {
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
 * Sees to it that `cluster.dir` is a cluster of the shipped PostgreSQL and belongs to the database's user.
 * @throws StartProblem when it was made by another major version or belongs to somebody whom we cannot replace
 */
export async function prepareCluster(cluster: Cluster, shippedMajor: number, durable: boolean): Promise<void> {
  const { dir, user } = cluster
  const owner = statSync(dir, { throwIfNoEntry: false })?.uid
  if (owner !== undefined && !user && owner !== process.geteuid?.()) {
    throw new StartProblem(
      `The database in ${dir} belongs to user id ${owner} and Keepsnap was started by user id ${process.geteuid?.()}. Start it as root, as before, or give everything in ${dirname(dir)} to this user with chown -R.`,
    )
  }
  if (owner === undefined || readdirSync(dir).length === 0) await makeCluster(cluster, durable)
  if (user) giveTo(dir, user)
  const versionFile = join(dir, 'PG_VERSION')
  if (!existsSync(versionFile))
    throw new StartProblem(
      `The folder ${dir} is in the way: it holds something else than a database. Move it to another place.`,
    )
  const major = Number(readFileSync(versionFile, 'utf8'))
  if (major !== shippedMajor) {
    throw new StartProblem(
      `The database in ${dir} was made by PostgreSQL ${major} and this Keepsnap brings ${shippedMajor}. Make a backup with the Keepsnap that made it, and restore that with this one into an empty DATA_DIR.`,
    )
  }
}
