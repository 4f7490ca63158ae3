import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { runCommand, SetupError } from './run-command.mjs'

/** @typedef {{ version?: string, dev?: boolean, devOptional?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Entry */
/** @typedef {'run' | 'develop'} Scope what the packages are for: running Keepsnap, or also testing and changing it */

/** @param {string} file @returns {Record<string, Entry> | undefined} what a lockfile lists, by folder */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/** @param {string} root @param {Scope} scope */
const stampFile = (root, scope) =>
  join(root, 'node_modules', scope === 'run' ? '.keepsnap-install' : '.keepsnap-install-develop')

/** @param {string} root */
const stampFor = (root) =>
  `${createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')} ${process.platform}-${process.arch}\n`

/** @param {string[] | undefined} list names, or names with ! for all others @param {string} here */
const admits = (list, here) =>
  !list || list.includes(here) || (!list.includes(`!${here}`) && list.every((name) => name.startsWith('!')))

/** @param {Entry} entry */
const fitsHere = ({ os, cpu }) => admits(os, process.platform) && admits(cpu, process.arch)

/**
 * Whether npm may have left a package out on this machine: it belongs to another platform, only npm can tell (another C
 * library, a dependency of an omitted package), or it is for development only.
 * @param {Entry} entry @param {Scope} scope
 */
const mayBeAbsent = (entry, scope) =>
  (scope === 'run' && (entry.dev || entry.devOptional)) ||
  (entry.optional && (!fitsHere(entry) || Boolean(entry.libc) || !entry.os))

/**
 * Whether the packages that npm says it installed are the ones that the lockfile requires on this machine. Only checked
 * when npm was run without these scripts.
 * @param {Record<string, Entry>} wanted
 * @param {Record<string, Entry>} installed
 * @param {Scope} scope
 */
function matches(wanted, installed, scope) {
  const complete = Object.entries(wanted).every(([folder, want]) => {
    const found = installed[folder]
    return !folder.includes('node_modules/') || (found ? want.version === found.version : mayBeAbsent(want, scope))
  })
  return complete && Object.values(installed).every(fitsHere)
}

/** What npm says is in node_modules; undefined after an incomplete first installation: npm writes its list last. @param {string} root */
const listedPackages = (root) => packagesIn(join(root, 'node_modules', '.package-lock.json'))

/**
 * Whether node_modules is complete and matches package-lock.json.
 * @param {string} root
 * @param {Scope} [scope]
 */
export function isInstalled(root, scope = 'run') {
  const installed = listedPackages(root)
  if (!installed || Object.keys(installed).some((folder) => !existsSync(join(root, folder)))) return false
  const stamp = stampFor(root)
  const isStamped = existsSync(stampFile(root, scope)) && readFileSync(stampFile(root, scope), 'utf8') === stamp
  if (isStamped) return true
  const wanted = packagesIn(join(root, 'package-lock.json'))
  if (!wanted || !matches(wanted, installed, scope)) return false
  try {
    writeFileSync(stampFile(root, scope), stamp)
  } catch {
    // Installed by another user, in a folder that this user may not write: checked again next time.
  }
  return true
}

/** The environment without the Node that is about to be replaced. @param {string} root */
function environment(root) {
  const path = (process.env['PATH'] ?? '').split(delimiter)
  return { ...process.env, PATH: path.filter((part) => part !== join(root, 'node_modules', '.bin')).join(delimiter) }
}

/** The npm that runs us, by the Node that runs it, else the one in PATH. @param {string} root */
function npm(root) {
  const cli = process.env['npm_execpath'] ?? ''
  const inside = join(root, 'node_modules') + sep
  const node = [process.env['npm_node_execpath'], process.execPath].find(
    (path) => path && existsSync(path) && !realpathSync(path).startsWith(inside),
  )
  return node && /npm-cli\.[cm]?js$/.test(cli) && existsSync(cli) ? [node, cli] : ['npm']
}

/** @type {[RegExp, string][]} */
const advice = [
  [/ENOSPC|EDQUOT/, 'The disk is full: about 1 GB is needed.'],
  [
    /EACCES|EPERM|EROFS/,
    'This user cannot write here: start as the owner of the folder, or make this user its owner with chown -R.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|FETCH_ERROR/,
    'The package registry cannot be reached: check the network or the proxy settings of npm, then start again.',
  ],
  [/EUSAGE/, 'package.json and package-lock.json do not match: run npm install and check what changed.'],
  [/spawn npm ENOENT/, 'npm was not found: install it with Node.'],
]

const npmFlags = [
  '--include=optional',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-progress',
  '--loglevel=error',
]

/**
 * Installs the packages of package-lock.json. Install scripts of packages are not run: none of ours needs one. Into an
 * existing installation packages are only added or updated, also when some are missing: a server may be running from it,
 * and `npm ci` would remove all packages first.
 * @param {string} root
 * @param {Scope} [scope]
 */
export async function install(root, scope = 'run') {
  for (const each of /** @type {Scope[]} */ (['run', 'develop'])) rmSync(stampFile(root, each), { force: true })
  const installed = listedPackages(root)
  const isNew = installed === undefined
  // Packages that were installed for development stay.
  const isDevelopment = scope === 'develop' || Object.values(installed ?? {}).some(({ dev }) => dev)
  const command = [
    isNew ? 'ci' : 'install',
    ...(isNew ? [] : ['--no-save']),
    isDevelopment ? '--include=dev' : '--omit=dev',
  ]
  const { ok, text } = await runCommand([...npm(root), ...command, ...npmFlags], { cwd: root, env: environment(root) })
  if (!ok) {
    const hint =
      advice.find(([sign]) => sign.test(text))?.[1] ??
      'See the lines above. Starting again repeats the installation from the beginning.'
    throw new SetupError(`${text}\nInstalling packages failed. ${hint}`)
  }
  const bundled = join(root, 'node_modules', '.bin', 'node')
  // On a machine that cannot run the bundled Node (another C library), scripts use the machine's own.
  if (existsSync(bundled) && spawnSync(bundled, ['--version']).status !== 0) rmSync(bundled)
  writeFileSync(stampFile(root, scope), stampFor(root))
}
