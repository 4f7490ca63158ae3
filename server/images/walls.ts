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
/** Threads included; Node and libvips use about 15. */
const threadLimit = '--nproc=64'

const untilParentDies = ['--no-new-privs', '--pdeathsig=KILL']
const withoutCapabilities = ['--inh-caps=-all', '--bounding-set=-all']

/** Tries what can be had, once: each wall is kept only when a process came through all of them. */
export async function findWalls(): Promise<Walls> {
  if (process.platform !== 'linux') return { before: () => [], userOf: () => null }
  const isRoot = process.getuid?.() === 0
  const chain: string[] = []
  for (const candidates of [networks(isRoot), limits(isRoot)]) {
    const found = await firstThatRuns(chain, candidates)
    chain.push(...found)
  }
  const asUser = (slot: number): string[] => rights(firstUser + slot)
  if (isRoot && (await runs([...chain, ...asUser(0), 'true'])))
    return { before: (slot) => [...chain, ...asUser(slot)], userOf: (slot) => firstUser + slot }
  const fallback = [
    ['setpriv', ...withoutCapabilities, ...untilParentDies, '--'],
    ['setpriv', ...untilParentDies, '--'],
  ]
  chain.push(...(await firstThatRuns(chain, isRoot ? fallback : fallback.slice(1))))
  return { before: () => chain, userOf: () => null }
}

/** A network of its own, which has no way out. Who is not root needs a user namespace for it. */
const networks = (isRoot: boolean): string[][] =>
  isRoot ? [['unshare', '--net', '--']] : [['unshare', '--user', '--map-current-user', '--net', '--']]

/** How many processes a user may have is only ours to say when the user is ours alone. */
const limits = (isRoot: boolean): string[][] => [
  ['prlimit', ...kernelLimits, ...(isRoot ? [threadLimit] : []), '--'],
  ['prlimit', ...kernelLimits, '--'],
]

const rights = (user: number): string[] => [
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
