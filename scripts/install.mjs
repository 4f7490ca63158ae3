import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { run, SetupProblem } from './child.mjs'

/** @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Entry */

/** @param {string} file @returns {Record<string, Entry> | undefined} what a lockfile lists, by folder */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/** @param {string} root */
const stampFile = (root) => join(root, 'node_modules', '.keepsnap-install')

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
 * Whether npm may have left this one out here: it belongs to another platform, or only npm can tell (another C
 * library, a part of something left out).
 * @param {Entry} entry
 */
const maybeAbsent = (entry) => entry.optional && (!fitsHere(entry) || Boolean(entry.libc) || !entry.os)

/**
 * Whether what npm says it installed is what the lockfile asks for on this machine. Asked once, when somebody ran npm
 * without us.
 * @param {Record<string, Entry>} wanted
 * @param {Record<string, Entry>} have
 */
function matches(wanted, have) {
  const complete = Object.entries(wanted).every(([folder, want]) => {
    const got = have[folder]
    return !folder.includes('node_modules/') || (got ? want.version === got.version : maybeAbsent(want))
  })
  return complete && Object.values(have).every(fitsHere)
}

/**
 * Whether node_modules is whole and is what package-lock.json asks for. npm writes its own list last, so a half-done
 * install has none.
 * @param {string} root
 */
export function isInstalled(root) {
  const have = packagesIn(join(root, 'node_modules', '.package-lock.json'))
  if (!have || !Object.keys(have).every((folder) => existsSync(join(root, folder)))) return false
  const stamp = stampFor(root)
  if (existsSync(stampFile(root)) && readFileSync(stampFile(root), 'utf8') === stamp) return true
  const wanted = packagesIn(join(root, 'package-lock.json'))
  if (!wanted || !matches(wanted, have)) return false
  try {
    writeFileSync(stampFile(root), stamp)
  } catch {
    // Installed by somebody else and not ours to write in: found out again next time.
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
    'This user may not write here: start as the owner of the folder, or give it to this user with chown -R.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|FETCH_ERROR/,
    'The package registry cannot be reached: check the network or the proxy settings of npm, then start again.',
  ],
  [/EUSAGE/, 'package.json and package-lock.json disagree: run npm install and look at what changed.'],
  [/spawn npm ENOENT/, 'npm was not found: install it along with Node.'],
]

/**
 * Installs what package-lock.json names. Install scripts of packages are not run: none of ours needs one.
 * @param {string} root
 */
export async function install(root) {
  rmSync(stampFile(root), { force: true })
  const words = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--loglevel=error',
  ]
  const { ok, text } = await run([...npm(root), ...words], { cwd: root, env: environment(root) })
  if (!ok) {
    const hint =
      advice.find(([sign]) => sign.test(text))?.[1] ??
      'Read the lines above; starting again repeats the installation from the beginning.'
    throw new SetupProblem(`${text}\nInstalling packages failed. ${hint}`)
  }
  const bundled = join(root, 'node_modules', '.bin', 'node')
  // On a machine that cannot run the Node that came along (another C library), scripts fall back to its own.
  if (existsSync(bundled) && spawnSync(bundled, ['--version']).status !== 0) rmSync(bundled)
  writeFileSync(stampFile(root), stampFor(root))
}
