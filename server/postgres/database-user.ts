import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import type { Logger } from 'pino'
import { StartupError } from '../runtime/startup-error.ts'

/** The user that PostgreSQL runs as when the program itself runs as root, which PostgreSQL refuses. */
export interface DatabaseUser {
  uid: number
  gid: number
}

const newUser = 'keepsnap'

/** The commands of most distributions, and of BusyBox. */
const createCommands: readonly (readonly [string, ...string[]])[] = [
  [
    'useradd',
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
    newUser,
  ],
  ['adduser', '-S', '-D', '-H', '-h', '/nonexistent', '-s', '/sbin/nologin', newUser],
]

function find(name: string): DatabaseUser | undefined {
  const ids = /^uid=(\d+)\S* gid=(\d+)/.exec(
    spawnSync('id', [name], { encoding: 'utf8', timeout: 10_000 }).stdout ?? '',
  )
  return ids && Number(ids[1]) !== 0 ? { uid: Number(ids[1]), gid: Number(ids[2]) } : undefined
}

function create(log: Logger): DatabaseUser | undefined {
  for (const [command, ...args] of createCommands) {
    spawnSync(command, args, { timeout: 10_000 })
    const created = find(newUser)
    if (created) {
      log.info(`created the system user ${newUser}, which the database runs as`)
      return created
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
  const user = find('postgres') ?? find(newUser) ?? create(log) ?? find('nobody')
  if (user) return user
  throw new StartupError(
    'PostgreSQL does not run as root, and this machine has no user postgres, keepsnap or nobody. Add one, start Keepsnap as a normal user, or set DATABASE_URL to your own PostgreSQL.',
  )
}
