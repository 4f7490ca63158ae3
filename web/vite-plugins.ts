import { productName } from '@keepsnap/contract/product.ts'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
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

/** What the app goes by when it calls: where to, how, and as whom. The rest of an endpoint is for the server. */
const ofCalls = new Set(['method', 'path', 'access', 'form', 'upload', 'reply'])
const noSchemas = '\0no-schemas'

/**
 * Leaves out of the build what the contract says to the server alone: schemas, with the library that makes them, and
 * summaries. The app reads answers as the server's schemas have written them.
 */
export const callsWithoutSchemas = (): Plugin => {
  return {
    name: 'calls-without-schemas',
    apply: 'build',
    enforce: 'pre',
    resolveId: { filter: { id: /^typebox$/ }, handler: () => noSchemas },
    load: {
      filter: { id: /^\0no-schemas$/ },
      handler: () =>
        ['Array', 'Boolean', 'Integer', 'Literal', 'Null', 'Object', 'Optional', 'String', 'Union']
          .map((name) => `/* @__NO_SIDE_EFFECTS__ */ export function ${name}() {}`)
          .join('\n'),
    },
    transform: {
      filter: { id: /\/contract\/[\w-]+\.ts$/ },
      handler: (code, id) => ({ code: withoutSchemas(code, id), map: null }),
    },
  }
}

function withoutSchemas(code: string, id: string): string {
  const cuts: [from: number, to: number][] = []
  new Visitor({
    CallExpression({ callee, arguments: [shape] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'endpoint' || shape?.type !== 'ObjectExpression') return
      for (const property of shape.properties) {
        if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
        const isSchema = property.key.name === 'reply' && property.value.type !== 'Literal'
        if (ofCalls.has(property.key.name) && !isSchema) continue
        cuts.push([property.start, code[property.end] === ',' ? property.end + 1 : property.end])
      }
    },
  }).visit(parseSync(id, code).program)
  return cuts.toReversed().reduce((rest, [from, to]) => rest.slice(0, from) + rest.slice(to), code)
}

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

/** What every page with an account's form needs: one file, which compresses better than its pieces. */
export const oneFormScript = () => ({
  name: 'form',
  test: /\/web\/(?:ui\/(?:Field|PasswordField|Note)\.tsx|messages\/en\/session\.ts)$|\/contract\/(?:emails|limits|passwords)\.ts$|tanstack\/.+\/(?:useMutation|mutationObserver)\.js$/,
})

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
