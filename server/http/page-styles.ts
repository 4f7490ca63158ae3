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
 * Reads from the manifest of a build which style sheets a page needs besides those of every page: its own, and those of the parts
 * that it loads by itself.
 */
export function createPageStyles(manifestPath: string): (module: string) => string[] {
  if (!existsSync(manifestPath)) return () => []
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest // written by the build
  const shared = staticChunks(manifest, ['index.html'])
  const sharedStyles = new Set(Array.from(shared.values()).flatMap(({ css = [] }) => css))
  return (module) => {
    const chunks = Array.from(staticChunks(manifest, [module])).filter(([key]) => !shared.has(key))
    const parts = chunks.flatMap(([, { dynamicImports = [] }]) => dynamicImports)
    const withParts = staticChunks(manifest, [...chunks.map(([key]) => key), ...parts])
    const styles = Array.from(withParts.values()).flatMap(({ css = [] }) => css)
    return [...new Set(styles)].filter((file) => !sharedStyles.has(file)).map((file) => `/${file}`)
  }
}

/** The manifest of the build in one language; English is the build without a language in its name. */
export const manifestPathOf = (dist: string, language: string): string =>
  join(dist, '.vite', language === 'en' ? 'manifest.json' : `manifest.${language}.json`)
