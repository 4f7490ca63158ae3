// Makes a clone ready to run: packages installed, web app built, a fitting Node. Plain JavaScript for Node 20, because
// it runs before anything is installed. Options: --quiet says only what takes time, --build builds in any case,
// --no-build leaves the web app alone.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetupProblem, stopWithParent } from './child.mjs'
import { install, isInstalled } from './install.mjs'
import { checkNode } from './running-node.mjs'
import { takeTurn } from './turn.mjs'
import { buildWeb, isBuilt } from './web-build.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const options = new Set(process.argv.slice(2))

/** @param {string} line */
const say = (line) => void process.stderr.write(`${line}\n`)

/**
 * @param {string} what
 * @param {() => Promise<void>} work
 */
async function timed(what, work) {
  say(`${what} ...`)
  const begun = performance.now()
  await work()
  say(`  done in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
}

const wantsBuild = () => !options.has('--no-build') && (options.has('--build') || !isBuilt(root))

async function prepare() {
  if (!isInstalled(root) || wantsBuild()) {
    const end = await takeTurn(root, (holder) => say(`Waiting for ${holder}, which is preparing this folder ...`))
    // Asked again: the one before may have done it.
    if (!isInstalled(root))
      await timed('Installing packages (the first time takes a minute or two)', () => install(root))
    if (wantsBuild()) await timed('Building the web app', () => buildWeb(root))
    end()
  }
  const node = checkNode(root)
  if (!options.has('--quiet')) say(`Ready to run on Node ${node}.`)
}

stopWithParent()
try {
  await prepare()
} catch (error) {
  const why = error instanceof Error ? error.stack : String(error)
  say(error instanceof SetupProblem ? error.message : `Setting up failed: ${why}`)
  process.exitCode = 1
}
