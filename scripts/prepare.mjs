// Prepares a clone: installs packages, builds the web app, checks Node. Plain JavaScript for Node 20, because it runs before
// anything is installed. Options: --dev also installs the packages for tests and development, --quiet prints only slow steps,
// --build always builds the web app, --no-build never does.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkNode } from './check-node.mjs'
import { install, isInstalled } from './install.mjs'
import { SetupError, stopWithParent } from './run-command.mjs'
import { lockSetup } from './setup-lock.mjs'
import { buildWeb, isBuilt } from './web-build.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const options = new Set(process.argv.slice(2))
const scope = options.has('--dev') ? 'develop' : 'run'

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

async function prepare() {
  if (!isInstalled(root, scope) || wantsBuild()) {
    const unlock = await lockSetup(root, (owner) => say(`Waiting for ${owner}, which is preparing this folder ...`))
    // Checked again: the process that had the lock may have done it.
    if (!isInstalled(root, scope))
      await timed('Installing packages (the first time takes a minute or two)', () => install(root, scope))
    if (wantsBuild()) await timed('Building the web app', () => buildWeb(root))
    unlock()
  }
  const node = checkNode(root)
  if (!options.has('--quiet')) say(`Ready to run on Node ${node}.`)
}

stopWithParent()
try {
  await prepare()
} catch (error) {
  const why = error instanceof Error ? error.stack : String(error)
  say(error instanceof SetupError ? error.message : `Setting up failed: ${why}`)
  process.exitCode = 1
}
