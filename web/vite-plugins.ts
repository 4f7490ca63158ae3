import { productName } from '@keepsnap/contract/product.ts'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** Writes the product's name into index.html. */
export const namedPage = (): Plugin => ({
  name: 'named-page',
  transformIndexHtml: (html) => html.replaceAll('%PRODUCT%', productName),
})

/** Asks for the font at once, instead of after the style sheet that names it. */
export const earlyFont = (): Plugin => ({
  name: 'early-font',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      if (!bundle) return []
      const font = Object.keys(bundle).find((file) => file.endsWith('.woff2'))
      if (!font) throw new Error('the build holds no font to preload')
      const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' }
      return [{ tag: 'link', injectTo: 'head', attrs }]
    },
  },
})

/**
 * Takes out the style element that sonner makes when it is imported: our security policy allows style sheets from
 * files only, and ui/ToastBox.tsx imports the same styles as such.
 */
export const stylesFromFilesOnly = (): Plugin => ({
  name: 'styles-from-files-only',
  apply: 'build',
  transform: {
    filter: { id: /node_modules\/sonner\/dist\/index\.mjs$/ },
    handler(code) {
      const quiet = code.replace(/^__insertCSS\(".*"\);?$/m, '')
      if (quiet === code) throw new Error('sonner no longer inserts its styles the way this build expects')
      return { code: quiet, map: null }
    },
  },
})

/**
 * Puts everything that the first script needs into one file. The bundler would cut it by who shares what, into pieces
 * that compress worse and of which the first page needs every one.
 */
export function oneFirstScript() {
  const first = new Set<string>()
  return {
    name(id: string, modules: Modules): string | null {
      if (first.size === 0) gather(entry, modules, first)
      return first.has(id) && !laterParts.test(id) ? 'app' : null
    },
  }
}
/** In reach of the first script through their packages' index, and used by later pages only. */
const laterParts =
  /query-core\/.*\/(?:queriesObserver|infiniteQueryObserver)\.js$|react-query\/.*\/(?:useQueries|useInfiniteQuery)\.js$/

interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}
const entry = fileURLToPath(new URL('index.html', import.meta.url))

/** Reachable through the list of what a package exports, and used by some pages only. */
const later =
  /@tanstack\/.+\/(useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver|useMutation|mutationObserver)\.js$/

function gather(id: string, modules: Modules, into: Set<string>): void {
  if (into.has(id) || later.test(id)) return
  into.add(id)
  for (const next of modules.getModuleInfo(id)?.importedIds ?? []) gather(next, modules, into)
}
