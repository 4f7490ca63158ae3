import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { WebPageRenderer } from '@keepsnap/contract/web-pages.ts'
import { StartupError } from '../runtime/startup-error.ts'

/** Resolves with the renderer of the web app's pages; it is loaded when the first page needs it. */
export type LoadWebPageRenderer = () => Promise<WebPageRenderer>

const requiredExports = [
  'renderWebPage',
  'publicPages',
  'pageVersions',
  'pagePreview',
  'appManifestTexts',
  'previewFont',
] as const

async function importRenderer(path: string): Promise<WebPageRenderer> {
  const built = (await import(pathToFileURL(path).href)) as Partial<WebPageRenderer> // checked in the next line
  if (requiredExports.some((name) => built[name] === undefined))
    throw new StartupError(`The pages at ${path} are of another version. Run "npm run build".`)
  return built as WebPageRenderer // has all exports
}

/**
 * The renderer that `web/prerender` is built into, by the path of its module (`web/dist-pages/pages.js`).
 * @throws StartupError when the module is missing
 */
export function webPageRendererAt(path: string): LoadWebPageRenderer {
  if (!existsSync(path))
    throw new StartupError(`The pages of the web app are not built: ${path} is missing. Run "npm run build".`)
  let renderer: Promise<WebPageRenderer> | undefined
  return () => (renderer ??= importRenderer(path))
}
