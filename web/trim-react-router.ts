import { join } from 'node:path'
import type { Plugin } from 'vite'

const noPrefetch = join(import.meta.dirname, 'no-prefetch.ts')

/** Patterns in React Router's files and their replacements, by the description that the error message uses. */
const replacements = {
  'calls that create a component or a context': [
    /= (React\$1\.(?:forwardRef|memo|createContext)\()/g,
    '= /* @__PURE__ */ $1',
  ],
  'display names of components': [/^\w+\.displayName = ".*";$/gm, ''],
} as const
const replacedModule = 'the module that prefetches pages'

/**
 * Removes from the bundle what only the other modes of React Router need: marks its components as side-effect free, so
 * that unused ones are tree-shaken, and replaces the module that prefetches pages with a stub. Fails the build if a new
 * version of React Router no longer contains one of the patterns. See
 * docs/decisions/0053-unused-modes-of-the-router.md.
 */
export function trimReactRouter(): Plugin {
  const missing = new Set<string>([...Object.keys(replacements), replacedModule])
  return {
    name: 'trim-react-router',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^\.\/ssr\/components\.js$/ },
      handler(_, importer) {
        if (!importer || !/[\\/]react-router[\\/]dist[\\/]/.test(importer)) return null
        missing.delete(replacedModule)
        return noPrefetch
      },
    },
    transform: {
      filter: { id: /[\\/]react-router[\\/]dist[\\/].*\.js$/ },
      handler: (code) => {
        let small = code
        for (const [what, [pattern, text]] of Object.entries(replacements)) {
          const next = small.replace(pattern, text)
          if (next !== small) missing.delete(what)
          small = next
        }
        return { code: small, map: null }
      },
    },
    buildEnd(error) {
      if (error || missing.size === 0) return
      this.error(
        `web/trim-react-router.ts no longer finds in React Router: ${[...missing].join('; ')}. See docs/decisions/0053-unused-modes-of-the-router.md.`,
      )
    },
  }
}
