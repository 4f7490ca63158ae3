import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The names of the assets that belong to a build itself, in its folder. */
const listName = '.keepsnap-assets'

/** @param {string} folder @returns {string[]} */
const assetsIn = (folder) => (existsSync(join(folder, 'assets')) ? readdirSync(join(folder, 'assets')).sort() : [])

/**
 * Puts the assets of the previous build beside those of the next one: a server that still runs, and pages that are open,
 * load them later, under names that are hashes of their contents. Those of earlier builds are left out.
 * @param {string} previous @param {string} next folders of the web app
 */
export function keepPreviousAssets(previous, next) {
  const own = new Set(assetsIn(next))
  writeFileSync(join(next, listName), [...own].join('\n'))
  const list = join(previous, listName)
  const kept = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : assetsIn(previous)
  mkdirSync(join(next, 'assets'), { recursive: true })
  for (const name of kept) {
    const file = join(previous, 'assets', name)
    if (!own.has(name) && existsSync(file)) copyFileSync(file, join(next, 'assets', name))
  }
}
