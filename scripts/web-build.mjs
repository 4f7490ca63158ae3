import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { keepPreviousAssets } from './previous-assets.mjs'
import { runCommand, SetupError } from './run-command.mjs'

const stampName = '.keepsnap-build'
const sources = ['web', 'contract', 'client', 'package-lock.json', 'tsconfig.base.json', 'scripts/web-build.mjs']
const ignored = /(^|\/)(dist|dist-guest|dist-pages|node_modules|test)(\/|$)|\.(test|spec)\.tsx?$/
const compressible = /\.(m?js|css|html|svg|json|txt|xml|webmanifest)$/
const smallestBytes = 1024

/** @param {string} root @param {string} path @returns {string[]} files below, in a fixed order */
function filesIn(root, path) {
  if (ignored.test(path)) return []
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesIn(root, `${path}/${name}`))
}

/** A hash of everything that a build depends on: sources, packages, and the environment variables that Vite reads. @param {string} root */
function digest(root) {
  const hash = createHash('sha256')
  for (const file of sources.filter((path) => existsSync(join(root, path))).flatMap((path) => filesIn(root, path))) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  for (const name of Object.keys(process.env)
    .filter((key) => key.startsWith('VITE_'))
    .sort())
    hash.update(`${name}=${process.env[name]}\0`)
  return hash.digest('hex')
}

/** The command for booths: one file, which the server offers for download. */
const uploadCommand = 'keepsnap-upload.mjs'

/** The app is built once for each language that has a folder of messages; in English where there are none. @param {string} root */
function languagesIn(root) {
  const messages = join(root, 'web', 'messages')
  if (!existsSync(messages)) return ['en']
  const folders = readdirSync(messages, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.map(({ name }) => name).sort()
}

/**
 * The web app, and what else there is a configuration for: the guest pages, the pages that the server renders, and the
 * command for booths. The stamp of all is in the folder of the app.
 * @param {string} root
 */
function buildsIn(root) {
  const app = { name: 'web', folder: join(root, 'web', 'dist'), config: 'vite.config.ts' }
  const guest = { name: 'guest', folder: join(root, 'web', 'dist-guest'), config: 'vite.guest.config.ts' }
  const pages = { name: 'pages', folder: join(root, 'web', 'dist-pages'), config: 'vite.prerender.config.ts' }
  const client = { name: 'client', folder: join(root, 'client', 'dist'), config: '../client/vite.config.ts' }
  return [app, ...[guest, pages, client].filter(({ config }) => existsSync(join(root, 'web', config)))]
}

/**
 * Whether web/dist and the others were built from the current sources.
 * @param {string} root
 */
export function isBuilt(root) {
  if (!existsSync(join(root, 'web', 'vite.config.ts'))) return true
  if (!buildsIn(root).every(({ folder }) => existsSync(folder))) return false
  const stamp = join(root, 'web', 'dist', stampName)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest(root)
}

/**
 * Adds a .br and a .gz file for every text file that compression makes smaller.
 * @param {string} folder
 */
async function precompress(folder) {
  const files = filesIn(folder, '.').filter(
    (file) => compressible.test(file) && !file.includes('/.') && statSync(join(folder, file)).size >= smallestBytes,
  )
  await Promise.all(
    files.map(async (file) => {
      const plain = readFileSync(join(folder, file))
      const compressed = {
        br: await promisify(brotliCompress)(plain, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
        }),
        gz: await promisify(gzip)(plain, { level: 9 }),
      }
      for (const [extension, bytes] of Object.entries(compressed)) {
        if (bytes.length < plain.length) writeFileSync(join(folder, `${file}.${extension}`), bytes)
      }
    }),
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
  rmSync(built, { recursive: true, force: true })
}

/**
 * Runs the commands of all builds, as many at a time as there are cores.
 * @param {string} root @param {{ config: string, next: string, language?: string }[]} builds
 */
async function runBuilds(root, builds) {
  const vite = join(dirname(createRequire(join(root, 'web', 'x.js')).resolve('vite/package.json')), 'bin', 'vite.js')
  const bundled = join(root, 'node_modules', '.bin', 'node')
  const node = existsSync(bundled) ? bundled : process.execPath
  const waiting = [...builds]
  /** @type {string[]} */
  const failures = []
  const runNext = async () => {
    for (let build = waiting.shift(); build && failures.length === 0; build = waiting.shift()) {
      const { ok, text } = await runCommand(
        [node, vite, 'build', '--config', build.config, '--outDir', build.next, '--emptyOutDir', '--logLevel', 'warn'],
        {
          cwd: join(root, 'web'),
          env: { ...process.env, NODE_ENV: 'production', ...(build.language && { WEB_LANGUAGE: build.language }) },
        },
      )
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
 * Builds the web app in every language, the guest pages and the command for booths into new folders, then replaces the
 * previous build, which may be in use.
 * @param {string} root
 */
export async function buildWeb(root) {
  const stamp = digest(root)
  const setup = join(root, '.setup')
  const builds = buildsIn(root).map((build) => ({
    ...build,
    next: join(setup, `${build.name}-next`),
    old: join(setup, `${build.name}-old`),
  }))
  const translations = languagesIn(root)
    .filter((language) => language !== 'en')
    .map((language) => ({ language, config: 'vite.config.ts', next: join(setup, `web-${language}-next`) }))
  const nextApp = join(setup, 'web-next')
  for (const folder of [...builds.flatMap(({ next, old }) => [next, old]), ...translations.map(({ next }) => next)])
    rmSync(folder, { recursive: true, force: true })
  for (const { next } of [...builds, ...translations]) mkdirSync(next, { recursive: true })
  await runBuilds(root, [...builds, ...translations])
  for (const { next, language } of translations) addLanguage(next, nextApp, language)
  const nextCommand = join(setup, 'client-next', uploadCommand)
  if (existsSync(nextCommand)) copyFileSync(nextCommand, join(nextApp, uploadCommand))
  await precompress(nextApp)
  keepPreviousAssets(join(root, 'web', 'dist'), nextApp)
  writeFileSync(join(nextApp, stampName), stamp)
  // The app last: its folder has the stamp of all.
  for (const { folder, next, old } of builds.toReversed()) {
    if (existsSync(folder)) renameSync(folder, old)
    renameSync(next, folder)
    rmSync(old, { recursive: true, force: true })
  }
}
