import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lockSetup, runCommand, SetupError, stopWithParent } from './run-command.mjs'
import { buildWeb, isBuilt } from './web-build.mjs'

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
function isInstalled(root, scope) {
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
async function install(root, scope) {
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

// Prepares a clone: installs packages, builds the web app, checks Node. Plain JavaScript for Node 20, because it runs before
// anything is installed. Options: --dev also installs the packages for tests and development, --quiet prints only slow steps,
// --build always builds the web app, --no-build never does.

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const options = new Set(process.argv.slice(2))
const scope = options.has('--dev') ? 'develop' : 'run'
let hasInstalled = false

/** @param {string} line */
const say = (line) => void process.stderr.write(`${line}\n`)

/**
 * @param {string} what
 * @param {() => Promise<void>} work
 */
async function timed(what, work) {
  say(`${what} ...`)
  const startedAt = performance.now()
  await work()
  say(`  done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

const wantsBuild = () => !options.has('--no-build') && (options.has('--build') || !isBuilt(root))

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 18)
}

/** The version of the Node that will run Keepsnap: the first in PATH, which this or another process may just have installed. */
function checkNode() {
  if (!hasInstalled && isNewEnough(process.versions.node)) return process.versions.node
  const { stdout } = spawnSync('node', ['-p', 'process.versions.node'], { encoding: 'utf8', timeout: 10_000 })
  const version = stdout?.trim() || 'none in PATH'
  if (isNewEnough(version)) return version
  throw new SetupError(
    `Keepsnap needs Node 22.18 or later to run, and this machine has ${version}. On linux-x64 npm start installs one; elsewhere install it from https://nodejs.org.`,
  )
}

stopWithParent()
try {
  if (!isInstalled(root, scope) || wantsBuild()) {
    const unlock = await lockSetup(root, (owner) => say(`Waiting for ${owner}, which is preparing this folder ...`))
    // Checked again: the process that had the lock may have done it.
    if (!isInstalled(root, scope)) {
      await timed('Installing packages (the first time takes a minute or two)', () => install(root, scope))
      hasInstalled = true
    }
    if (wantsBuild()) await timed('Building the web app', () => buildWeb(root))
    unlock()
  }
  const node = checkNode()
  if (!options.has('--quiet')) say(`Ready to run on Node ${node}.`)
} catch (error) {
  const why = error instanceof Error ? error.stack : String(error)
  say(error instanceof SetupError ? error.message : `Setting up failed: ${why}`)
  process.exit(1)
}
