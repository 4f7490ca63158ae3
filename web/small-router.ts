import { join } from 'node:path'
import type { Plugin } from 'vite'

const noPrefetch = join(import.meta.dirname, 'no-prefetch.ts')

/** Lines of React Router's files, by what they are in messages, and what replaces them. */
const replacements = {
  'calls that make a component or a context': [
    /= (React\$1\.(?:forwardRef|memo|createContext)\()/g,
    '= /* @__PURE__ */ $1',
  ],
  'names of components': [/^\w+\.displayName = ".*";$/gm, ''],
} as const
const replacedModule = 'the module that loads pages in advance'

/**
 * Leaves out of the app what only the other modes of React Router need: marks its components as free of side effects, so that
 * those that the app does not use are removed, and replaces the module that loads pages in advance. Fails the build where a
 * version of React Router has nothing to replace. See docs/decisions/0053-unused-modes-of-the-router.md.
 */
export function smallRouter(): Plugin {
  const missing = new Set<string>([...Object.keys(replacements), replacedModule])
  return {
    name: 'small-router',
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
        `web/small-router.ts finds no longer in React Router: ${[...missing].join('; ')}. See docs/decisions/0053-unused-modes-of-the-router.md.`,
      )
    },
  }
}
