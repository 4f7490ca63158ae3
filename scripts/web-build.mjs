import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { runCommand, SetupError } from './run-command.mjs'

const stampName = '.keepsnap-build'
/** The names of the assets that belong to a build itself, in its folder. */
const assetListName = '.keepsnap-assets'
const sources = ['web', 'contract', 'client', 'package-lock.json', 'tsconfig.base.json', 'scripts/web-build.mjs']
const ignored = /(^|\/)(dist|dist-guest|dist-pages|node_modules|test)(\/|$)|\.(test|spec)\.tsx?$/
const compressible = /\.(m?js|css|html|svg|json|txt|xml|webmanifest)$/
const smallestBytes = 1024
/** The command for booths: one file, which the server offers for download. */
const uploadCommand = 'keepsnap-upload.mjs'

/** @typedef {{ config: string, folder?: string, next: string, language?: string }} Build `folder`: the one that is replaced */

/**
 * The web app, first, because its folder has the stamp of all; then the guest pages, the pages that the server renders, the
 * command for booths, and the web app once for each other language.
 * @param {string} root @returns {Build[]}
 */
function buildsIn(root) {
  const folders = {
    'web/dist': 'vite.config.ts',
    'web/dist-guest': 'vite.guest.config.ts',
    'web/dist-pages': 'vite.prerender.config.ts',
    'client/dist': '../client/vite.config.ts',
  }
  const next = (/** @type {string} */ name) => join(root, '.setup', name.replace('/', '-'))
  const builds = Object.entries(folders)
    .filter(([, config]) => existsSync(join(root, 'web', config)))
    .map(([folder, config]) => ({ folder: join(root, folder), config, next: next(folder) }))
  const languages = readdirSync(join(root, 'web/messages'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'en')
    .map(({ name }) => ({ language: name, config: 'vite.config.ts', next: next(`web/${name}`) }))
  return [...builds, ...languages]
}

/** @param {string} root @param {string} path @returns {string[]} files below, in a fixed order */
function filesIn(root, path) {
  if (ignored.test(path)) return []
  if (!statSync(join(root, path)).isDirectory()) return [path]
  const names = readdirSync(join(root, path)).sort()
  return names.flatMap((name) => filesIn(root, `${path}/${name}`))
}

/** A hash of everything that a build depends on: sources, packages, and the environment variables that Vite reads. @param {string} root */
function digest(root) {
  const hash = createHash('sha256')
  for (const file of sources.filter((path) => existsSync(join(root, path))).flatMap((path) => filesIn(root, path)))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  const names = Object.keys(process.env).filter((name) => name.startsWith('VITE_'))
  for (const name of names.sort()) hash.update(`${name}=${process.env[name]}\0`)
  return hash.digest('hex')
}

/**
 * Whether web/dist and the others were built from the current sources.
 * @param {string} root
 */
export function isBuilt(root) {
  if (!existsSync(join(root, 'web/vite.config.ts'))) return true
  if (!buildsIn(root).every(({ folder }) => !folder || existsSync(folder))) return false
  const stamp = join(root, 'web/dist', stampName)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest(root)
}

/**
 * Runs the commands of all builds, as many at a time as there are cores.
 * @param {string} root @param {Build[]} builds
 */
async function runBuilds(root, builds) {
  const web = join(root, 'web')
  const vite = join(dirname(createRequire(join(web, 'x.js')).resolve('vite/package.json')), 'bin/vite.js')
  const bundled = join(root, 'node_modules/.bin/node')
  const node = existsSync(bundled) ? bundled : process.execPath
  const waiting = [...builds]
  /** @type {string[]} */
  const failures = []
  const runNext = async () => {
    for (let build = waiting.shift(); build && failures.length === 0; build = waiting.shift()) {
      const { config, next, language } = build
      const env = { ...process.env, NODE_ENV: 'production', ...(language && { WEB_LANGUAGE: language }) }
      const args = ['build', '--config', config, '--outDir', next, '--emptyOutDir', '--logLevel', 'warn']
      const { ok, text } = await runCommand([node, vite, ...args], { cwd: web, env })
      if (!ok) failures.push(text)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runNext))
  if (failures.length > 0)
    throw new SetupError(
      `${failures.join('\n')}\nBuilding the web app failed. See the lines above. The previous build is kept.`,
    )
}

/**
 * Moves what was built for one language into the folder of the app: `index.nl.html` beside `index.html`, and its files into
 * the assets of all languages, whose names are hashes of their contents.
 * @param {string} built @param {string} app @param {string} language
 */
function addLanguage(built, app, language) {
  for (const file of filesIn(built, '.')) {
    const target = join(app, file.replace(/(index|manifest)\.(html|json)$/, `$1.${language}.$2`))
    if (existsSync(target)) {
      if (readFileSync(target).equals(readFileSync(join(built, file)))) continue
      throw new SetupError(`The builds of two languages contain different files with the name ${file}.`)
    }
    mkdirSync(dirname(target), { recursive: true })
    renameSync(join(built, file), target)
  }
}

/**
 * Adds a .br and a .gz file for every text file that compression makes smaller.
 * @param {string} folder
 */
async function precompress(folder) {
  const compressFile = async (/** @type {string} */ file) => {
    const plain = readFileSync(file)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
    const compressed = {
      br: await promisify(brotliCompress)(plain, { params }),
      gz: await promisify(gzip)(plain, { level: 9 }),
    }
    for (const [extension, bytes] of Object.entries(compressed))
      if (bytes.length < plain.length) writeFileSync(`${file}.${extension}`, bytes)
  }
  const files = filesIn(folder, '.').filter((file) => compressible.test(file) && !file.includes('/.'))
  const paths = files.map((file) => join(folder, file)).filter((file) => statSync(file).size >= smallestBytes)
  await Promise.all(paths.map(compressFile))
}

/** @param {string} folder @returns {string[]} */
const assetsIn = (folder) => (existsSync(join(folder, 'assets')) ? readdirSync(join(folder, 'assets')).sort() : [])

/**
 * Puts the assets of the previous build beside those of the next one: a server that still runs, and pages that are open,
 * load them later, under names that are hashes of their contents. Those of earlier builds are left out.
 * @param {string} previous @param {string} next folders of the web app
 */
function keepPreviousAssets(previous, next) {
  const own = new Set(assetsIn(next))
  writeFileSync(join(next, assetListName), [...own].join('\n'))
  const list = join(previous, assetListName)
  const kept = existsSync(list) ? readFileSync(list, 'utf8').split('\n') : assetsIn(previous)
  for (const name of kept.filter((each) => each && !own.has(each))) {
    const file = join(previous, 'assets', name)
    if (existsSync(file)) copyFileSync(file, join(next, 'assets', name))
  }
}

/**
 * Builds all into new folders, then replaces the previous build, which may be in use.
 * @param {string} root
 */
export async function buildWeb(root) {
  const stamp = digest(root)
  const builds = buildsIn(root)
  rmSync(join(root, '.setup'), { recursive: true, force: true })
  for (const { next } of builds) mkdirSync(next, { recursive: true })
  await runBuilds(root, builds)
  const [app = { next: '' }] = builds
  for (const { next, language } of builds) if (language) addLanguage(next, app.next, language)
  const command = join(root, '.setup/client-dist', uploadCommand)
  if (existsSync(command)) copyFileSync(command, join(app.next, uploadCommand))
  await precompress(app.next)
  keepPreviousAssets(join(root, 'web/dist'), app.next)
  writeFileSync(join(app.next, stampName), stamp)
  // The app last: its folder has the stamp of all.
  for (const { folder, next } of builds.toReversed()) {
    if (!folder) continue
    if (existsSync(folder)) renameSync(folder, `${next}-old`)
    renameSync(next, folder)
  }
  rmSync(join(root, '.setup'), { recursive: true, force: true })
}
