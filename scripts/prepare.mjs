// Prepares a clone: installs packages, builds the web app, checks Node. Plain JavaScript for Node 20, because it runs before
// anything is installed. Options: --dev also installs the packages for tests and development, --quiet prints only slow steps,
// --build always builds the web app, --no-build never does.
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, isInstalled } from './install.mjs'
import { SetupError, stopWithParent } from './run-command.mjs'
import { lockSetup } from './setup-lock.mjs'
import { buildWeb, isBuilt } from './web-build.mjs'

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
