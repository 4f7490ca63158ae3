import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import type { Logger } from 'pino'
import { StartupError } from '../runtime/startup-error.ts'

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
