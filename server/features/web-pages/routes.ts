import { isLanguage } from '@keepsnap/contract/languages.ts'
import { appManifest, robotsFile, sitemap } from '@keepsnap/contract/web-pages.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Fault } from '../../faults.ts'
import { sendSharedFile } from '../../http/send-shared-file.ts'
import type { Serve } from '../../http/serve.ts'
import type { LoadWebPageRenderer } from '../../http/web-page-renderer.ts'
import { manifestJson } from './manifest.ts'
import { robotsText, sitemapXml } from './robots.ts'

/** Short: an update of the program, or other settings, can change what they say. */
const cacheControl = 'public, max-age=3600'

/** What search engines and systems read about the web app: rules for robots, the sitemap, and the app's manifest. */
export function webPageRoutes(
  serve: Serve,
  { config, loadRenderer }: Pick<Dependencies, 'config'> & { loadRenderer: LoadWebPageRenderer },
): void {
  const { publicUrl } = config
  serve(robotsFile, async (_, call) => {
    await sendSharedFile(call, { type: 'text/plain; charset=utf-8', body: robotsText(publicUrl), cacheControl })
    return undefined
  })
  serve(sitemap, async (_, call) => {
    const { publicPages } = await loadRenderer()
    const body = sitemapXml(publicUrl, publicPages)
    await sendSharedFile(call, { type: 'application/xml; charset=utf-8', body, cacheControl })
    return undefined
  })
  serve(appManifest, async ({ params }, call) => {
    const language = params.name.replace(/\.webmanifest$/, '')
    if (!isLanguage(language)) throw new Fault('not_found', 'There is no manifest for this language.')
    const body = manifestJson(language, (await loadRenderer()).appManifestTexts(language))
    await sendSharedFile(call, { type: 'application/manifest+json; charset=utf-8', body, cacheControl })
    return undefined
  })
}
