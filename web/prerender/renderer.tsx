import type { Language } from '@keepsnap/contract/languages.ts'
import { legalDocumentNames, versionParameter } from '@keepsnap/contract/legal.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import type { WebPageRenderer } from '@keepsnap/contract/web-pages.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { legalDocuments } from '../features/legal/documents.ts'
import type { LocaleData } from '../lib/i18n.tsx'
import type { Catalogue } from '../messages/en.ts'
import { Head } from './Head.tsx'
import { extractInlineStyles } from './extract-inline-styles.ts'
import { notFoundHead, pageHeads, pageNameOf, type PageName } from './page-heads.ts'
import { renderBody } from './render-body.tsx'

/** A language of the rendered pages, with all its sentences. */
export type CompleteLocaleData = LocaleData & { text: Catalogue }

interface Options {
  languages: Readonly<Record<Language, CompleteLocaleData>>
  previewFont: string
}

const namedHeads = Object.entries(pageHeads) as [PageName, (typeof pageHeads)[PageName]][] // its own keys
const publicNames = namedHeads.flatMap(([name, { description }]) => (description ? [name] : []))

/** The texts of which earlier and announced versions can be read, by the paths of their pages. */
const versionsByPath = new Map(legalDocumentNames.map((name) => [pages[name] as string, legalDocuments[name]]))

/** Renders the pages of the web app for visitors, search engines and link previews. */
export function createWebPageRenderer({ languages, previewFont }: Options): WebPageRenderer {
  return {
    async renderWebPage({ path, version, language, load, ...urls }) {
      const name = pageNameOf(path)
      const head = name ? pageHeads[name] : notFoundHead
      const { text } = languages[language]
      const { module = null } = head
      const isPublic = head.description !== undefined
      const tags = renderToStaticMarkup(<Head {...{ name, head, path, language, text, ...urls }} />)
      if (module === null) return { isPublic, head: tags, body: null, module }
      const { html, css } = extractInlineStyles(
        await renderBody(version === null ? path : `${path}?${new URLSearchParams({ [versionParameter]: version })}`, {
          language: languages[language],
          origin: new URL(urls.publicUrl).origin,
          load,
        }),
      )
      return { isPublic, head: css ? `${tags}<style>${css}</style>` : tags, body: html, module }
    },
    publicPages: publicNames.map((name) => ({ name, path: pages[name] })),
    pageVersions: (path) => versionsByPath.get(path)?.map(({ from }) => from) ?? [],
    pagePreview(name, language) {
      const known = publicNames.find((one) => one === name)
      const { text } = languages[language]
      return known ? { title: pageHeads[known].title(text), codeLine: text.pageDescriptions.previewLine } : null
    },
    appManifestTexts(language) {
      const { pageDescriptions, frame } = languages[language].text
      const { upload, latest } = frame.links
      return { description: pageDescriptions.app, upload, latest }
    },
    previewFont,
  }
}
