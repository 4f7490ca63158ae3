import { execFile } from 'node:child_process'

/** How an image process is isolated from the rest of the machine. */
export interface Isolation {
  /** The commands that run before Node's own command line, for the process of a slot. */
  commandPrefix(slot: number): string[]
  /** The id of the user that the process of a slot runs as; null for our own user. */
  userIdOf(slot: number): number | null
}

/** Debian's policy assigns these ids (65000 to 65533) to nobody, and the user map of every container includes them. */
const firstUserId = 65_300

const kernelLimits = ['--core=0', '--nofile=1024', `--fsize=${2 * 1024 ** 3}`]
/** The processes and threads of one user. Ours use about 15, and several instances on one machine share the users. */
const processLimit = '--nproc=512'

const basicRestrictions = ['--no-new-privs', '--pdeathsig=KILL']
const noCapabilities = ['--inh-caps=-all', '--bounding-set=-all']

const noIsolation: Isolation = { commandPrefix: () => [], userIdOf: () => null }

/**
 * The isolations that work on this machine, the strongest first. Each command is included only if a process has been started
 * through it and all before it. Whether Node itself starts through them, the caller must find out: another user may not be
 * allowed to read the program.
 */
export async function findIsolations(): Promise<Isolation[]> {
  if (process.platform !== 'linux') return [noIsolation]
  const isRoot = process.getuid?.() === 0
  const workingPrefix: string[] = []
  for (const candidates of [networkCommands(isRoot), limitCommands(isRoot)])
    workingPrefix.push(...(await firstWorkingCommand(workingPrefix, candidates)))
  const restrictions = isRoot ? [restrictedRoot, restricted] : [restricted]
  const sameUser = [...workingPrefix, ...(await firstWorkingCommand(workingPrefix, restrictions))]
  const isolations: Isolation[] = [{ commandPrefix: () => sameUser, userIdOf: () => null }, noIsolation]
  if (isRoot && (await commandWorks([...workingPrefix, ...asUser(firstUserId), 'true'])))
    isolations.unshift({
      commandPrefix: (slot) => [...workingPrefix, ...asUser(firstUserId + slot)],
      userIdOf: (slot) => firstUserId + slot,
    })
  return isolations
}

/** A network namespace of its own, without any connection. Other users than root need a user namespace for it. */
const networkCommands = (isRoot: boolean): string[][] =>
  isRoot ? [['unshare', '--net', '--']] : [['unshare', '--user', '--map-current-user', '--net', '--']]

/** The number of processes is limited only for users that nothing else runs as. */
const limitCommands = (isRoot: boolean): string[][] => [
  ['prlimit', ...kernelLimits, ...(isRoot ? [processLimit] : []), '--'],
  ['prlimit', ...kernelLimits, '--'],
]

const restricted = ['setpriv', ...basicRestrictions, '--']
const restrictedRoot = ['setpriv', ...noCapabilities, ...basicRestrictions, '--']
const asUser = (userId: number): string[] => [
  'setpriv',
  `--reuid=${userId}`,
  `--regid=${userId}`,
  '--clear-groups',
  ...noCapabilities,
  ...basicRestrictions,
  '--',
]

async function firstWorkingCommand(workingPrefix: string[], candidates: string[][]): Promise<string[]> {
  for (const candidate of candidates) if (await commandWorks([...workingPrefix, ...candidate, 'true'])) return candidate
  return []
}

const commandWorks = ([command = '', ...args]: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(command, args, { env: {}, timeout: 20_000 }, (error) => resolve(error === null))
  })
