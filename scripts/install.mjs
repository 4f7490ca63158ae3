import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runCommand, SetupError } from './run-command.mjs'

/** @typedef {'run' | 'develop'} Scope what the packages are for: running Keepsnap, or also testing and changing it */

/** What an installation is of: the packages, this kind of machine, and the scope. @param {string} root */
const stampFile = (root) => join(root, 'node_modules', '.keepsnap-install')

/** @param {string} root @param {Scope} scope */
function stampOf(root, scope) {
  const lockFile = readFileSync(join(root, 'package-lock.json'))
  return `${createHash('sha256').update(lockFile).digest('hex')} ${process.platform}-${process.arch} ${scope}\n`
}

/**
 * The packages that npm says it installed, by folder; undefined after an incomplete first installation, because npm writes its
 * list last.
 * @param {string} root @returns {Record<string, { dev?: boolean }> | undefined}
 */
function installedPackages(root) {
  try {
    return JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8')).packages
  } catch {
    return undefined
  }
}

/**
 * Whether node_modules is complete and matches package-lock.json.
 * @param {string} root
 * @param {Scope} scope
 */
export function isInstalled(root, scope) {
  const installed = installedPackages(root)
  if (!installed || !existsSync(stampFile(root))) return false
  const stamp = readFileSync(stampFile(root), 'utf8')
  const isCurrent = stamp === stampOf(root, 'develop') || (scope === 'run' && stamp === stampOf(root, 'run'))
  return isCurrent && Object.keys(installed).every((folder) => existsSync(join(root, folder)))
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

/**
 * Installs the packages of package-lock.json. Install scripts of packages are not run: none of ours needs one. Into an
 * existing installation packages are only added or updated, also when some are missing: a server may be running from it,
 * and `npm ci` would remove all packages first.
 * @param {string} root
 * @param {Scope} scope
 */
export async function install(root, scope) {
  rmSync(stampFile(root), { force: true })
  const installed = installedPackages(root)
  // Packages that were installed for development stay.
  const isDevelopment = scope === 'develop' || Object.values(installed ?? {}).some(({ dev }) => dev)
  const command = ['npm', ...(installed ? ['install', '--no-save'] : ['ci'])]
  const flags = [isDevelopment ? '--include=dev' : '--omit=dev', '--include=optional', '--ignore-scripts']
  const quiet = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  // Not by the Node in node_modules, which may be replaced.
  const bin = join(root, 'node_modules', '.bin')
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== bin)
  const env = { ...process.env, PATH: path.join(delimiter) }
  const { ok, text } = await runCommand([...command, ...flags, ...quiet], { cwd: root, env })
  if (!ok) {
    const hint =
      advice.find(([sign]) => sign.test(text))?.[1] ??
      'See the lines above. Starting again repeats the installation from the beginning.'
    throw new SetupError(`${text}\nInstalling packages failed. ${hint}`)
  }
  const bundled = join(bin, 'node')
  // On a machine that cannot run the bundled Node (another C library), scripts use the machine's own.
  if (existsSync(bundled) && spawnSync(bundled, ['--version']).status !== 0) rmSync(bundled)
  writeFileSync(stampFile(root), stampOf(root, isDevelopment ? 'develop' : 'run'))
}
