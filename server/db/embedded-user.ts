import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import type { Logger } from 'pino'
import { StartProblem } from '../start-problem.ts'

/** The user PostgreSQL runs as when the program itself runs as root, which PostgreSQL refuses to do. */
export interface DatabaseUser {
  uid: number
  gid: number
}

const newUser = 'keepsnap'

/** Two spellings of the same wish: Debian's and most others', and BusyBox's. */
const creations: readonly (readonly [string, ...string[]])[] = [
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
  for (const [command, ...args] of creations) {
    spawnSync(command, args, { timeout: 10_000 })
    const made = find(newUser)
    if (made) {
      log.info(`made the system user ${newUser}, which the database runs as`)
      return made
    }
  }
  return undefined
}

/**
 * Chooses the user for the cluster in `clusterDir`: its owner when there is one, else `postgres`, else `keepsnap`
 * (made when missing), else `nobody`.
 * @returns undefined when PostgreSQL can run as the user of this program
 */
export function databaseUser(clusterDir: string, log: Logger): DatabaseUser | undefined {
  if (process.geteuid?.() !== 0) return undefined
  const owner = statSync(clusterDir, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const user = find('postgres') ?? find(newUser) ?? create(log) ?? find('nobody')
  if (user) return user
  throw new StartProblem(
    'PostgreSQL does not run as root, and this machine has no user postgres, keepsnap or nobody. Add one, start Keepsnap as a normal user, or set DATABASE_URL to a PostgreSQL of your own.',
  )
}
