import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One entry of the manifest of the web build (Vite's format). */
interface Chunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}
type Manifest = Readonly<Record<string, Chunk>>

/** The files that the document of a page names, so that the browser loads them at once. */
export interface PageFiles {
  scripts: string[]
  styles: string[]
}

/** The chunks that these modules need before they run. */
function staticChunks(manifest: Manifest, keys: readonly string[], found = new Map<string, Chunk>()) {
  for (const key of keys) {
    const chunk = manifest[key]
    if (!chunk || found.has(key)) continue
    found.set(key, chunk)
    staticChunks(manifest, chunk.imports ?? [], found)
  }
  return found
}

/**
 * Reads from the manifest of a build what a page needs besides the files of every page: its scripts, and its style sheets
 * with those of the parts that it loads by itself.
 */
export function createPageFiles(manifestPath: string): (module: string) => PageFiles {
  if (!existsSync(manifestPath)) return () => ({ scripts: [], styles: [] })
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest // written by the build
  const shared = staticChunks(manifest, ['index.html'])
  const sharedStyles = new Set(Array.from(shared.values()).flatMap(({ css = [] }) => css))
  return (module) => {
    const chunks = Array.from(staticChunks(manifest, [module])).filter(([key]) => !shared.has(key))
    const parts = chunks.flatMap(([, { dynamicImports = [] }]) => dynamicImports)
    const withParts = staticChunks(manifest, [...chunks.map(([key]) => key), ...parts])
    const styles = Array.from(withParts.values()).flatMap(({ css = [] }) => css)
    return {
      scripts: chunks.map(([, { file }]) => `/${file}`),
      styles: [...new Set(styles)].filter((file) => !sharedStyles.has(file)).map((file) => `/${file}`),
    }
  }
}

/** The manifest of the build in one language; English is the build without a language in its name. */
export const manifestPathOf = (dist: string, language: string): string =>
  join(dist, '.vite', language === 'en' ? 'manifest.json' : `manifest.${language}.json`)
