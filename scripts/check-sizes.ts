/** Checks how much JavaScript the first visit to each page that needs no account loads, with gzip. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { defaultLanguage, languages } from '@keepsnap/contract/languages.ts'
import { reportProblems, root } from './source-files.ts'
import { isBuilt } from './web-build.mjs'

interface Chunk {
  file: string
  imports?: string[]
}

const mostBytes = 134 * 1024
/** Pages of accounts that ask to sign in themselves, instead of the router; of other pages of accounts no size is checked. */
const accountPages: Record<string, number> = { 'features/photos/GalleryPage.tsx': 170 * 1024 }
const dist = join(root, 'web/dist')
const sizes = new Map<string, number>()

function compressedBytes(file: string): number {
  const bytes = sizes.get(file) ?? gzipSync(readFileSync(join(dist, file)), { level: 9 }).length
  sizes.set(file, bytes)
  return bytes
}

function publicPages(): string[] {
  const routes = readFileSync(join(root, 'web/routes.tsx'), 'utf8')
  const found = [...routes.matchAll(/lazyPage\('\w+', \(\) => import\('\.\/([^']+)'\)\),\n\s*access: '([\w-]+)'/g)]
  // A helper has no account, but the page is the owner’s review.
  const isInside = (module: string, access?: string) => access === 'signed-in' || module.endsWith('/HelperPage.tsx')
  return [...new Set(found.flatMap(([, module = '', access]) => (isInside(module, access) ? [] : [module])))]
}

/** The bytes of a page's own chunk, of the entry, and of all that they import statically. */
function bytesOf(manifest: Record<string, Chunk>, page: string): number {
  const files = new Set<string>()
  const visited = new Set<string>()
  const visit = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk || visited.has(key)) return
    visited.add(key)
    files.add(chunk.file)
    chunk.imports?.forEach(visit)
  }
  if (!manifest[page]) throw new Error(`the manifest of the build does not contain ${page}`)
  for (const one of ['index.html', page]) visit(one)
  return [...files].reduce((sum, file) => sum + compressedBytes(file), 0)
}

if (isBuilt(root)) {
  const pages = publicPages()
  const problems = languages.flatMap((language) => {
    const file = language === defaultLanguage ? 'manifest.json' : `manifest.${language}.json`
    // Vite's own format.
    const manifest = JSON.parse(readFileSync(join(dist, '.vite', file), 'utf8')) as Record<string, Chunk>
    return pages.flatMap((page) => {
      const [bytes, most] = [bytesOf(manifest, page), accountPages[page] ?? mostBytes]
      return bytes <= most ? [] : [`${page} (${language}): ${bytes} bytes of JavaScript; at most ${most}`]
    })
  })
  if (pages.length === 0) problems.push('no public page was found in web/routes.tsx')
  reportProblems('sizes', problems)
} else {
  reportProblems('sizes', ['The build of the web app is missing or out of date; run: npm run build'])
}
