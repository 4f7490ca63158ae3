import { execFile } from 'node:child_process'

/** What stands between an image process and the rest of the machine, as far as this machine allows. */
export interface Walls {
  /** The command line in front of Node's own, for the process in this slot. */
  before(slot: number): string[]
  /** The user that the process in this slot runs as; null: ours. */
  userOf(slot: number): number | null
}

/** Reserved for no one in Debian's policy (65000 to 65533), and inside every container's map of users. */
const firstUser = 65_300

const kernelLimits = ['--core=0', '--nofile=1024', `--fsize=${2 * 1024 ** 3}`]
/** Of all processes of one user, threads included. Ours use about 15, and other instances on a machine share users. */
const threadLimit = '--nproc=512'

const untilParentDies = ['--no-new-privs', '--pdeathsig=KILL']
const withoutCapabilities = ['--inh-caps=-all', '--bounding-set=-all']

const none: Walls = { before: () => [], userOf: () => null }

/**
 * What can be had here, the best first: each wall is there because a process came through it and all before it. That
 * Node itself starts behind them is for the caller to find out, since a user of its own may not be let read the program.
 */
export async function findWalls(): Promise<Walls[]> {
  if (process.platform !== 'linux') return [none]
  const isRoot = process.getuid?.() === 0
  const chain: string[] = []
  for (const candidates of [networks(isRoot), limits(isRoot)]) chain.push(...(await firstThatRuns(chain, candidates)))
  const plain = [...chain, ...(await firstThatRuns(chain, isRoot ? [bare, mortal] : [mortal]))]
  const walls: Walls[] = [{ before: () => plain, userOf: () => null }, none]
  if (isRoot && (await runs([...chain, ...asUser(firstUser), 'true'])))
    walls.unshift({ before: (slot) => [...chain, ...asUser(firstUser + slot)], userOf: (slot) => firstUser + slot })
  return walls
}

/** A network of its own, which has no way out. Who is not root needs a user namespace for it. */
const networks = (isRoot: boolean): string[][] =>
  isRoot ? [['unshare', '--net', '--']] : [['unshare', '--user', '--map-current-user', '--net', '--']]

/** How many processes a user may have is only ours to say when the user is ours alone. */
const limits = (isRoot: boolean): string[][] => [
  ['prlimit', ...kernelLimits, ...(isRoot ? [threadLimit] : []), '--'],
  ['prlimit', ...kernelLimits, '--'],
]

const mortal = ['setpriv', ...untilParentDies, '--']
const bare = ['setpriv', ...withoutCapabilities, ...untilParentDies, '--']
const asUser = (user: number): string[] => [
  'setpriv',
  `--reuid=${user}`,
  `--regid=${user}`,
  '--clear-groups',
  ...withoutCapabilities,
  ...untilParentDies,
  '--',
]

async function firstThatRuns(chain: string[], candidates: string[][]): Promise<string[]> {
  for (const candidate of candidates) if (await runs([...chain, ...candidate, 'true'])) return candidate
  return []
}

const runs = ([command = '', ...args]: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(command, args, { env: {}, timeout: 5_000 }, (error) => resolve(error === null))
  })
