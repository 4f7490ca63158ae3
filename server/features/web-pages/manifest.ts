import { languageParameter } from '@keepsnap/contract/languages.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import { productName } from '@keepsnap/contract/product.ts'
import type { AppManifestTexts } from '@keepsnap/contract/web-pages.ts'

/** The paper of the light theme, as in web/styles/tokens.css. The format has one colour for both themes. */
const paper = '#faf7f2'

const icon = (name: string, side: number, purpose: 'any' | 'maskable') => ({
  src: `/${name}-${side}.png`,
  sizes: `${side}x${side}`,
  type: 'image/png',
  purpose,
})
const icons = [
  { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ...[192, 512].map((side) => icon('icon', side, 'any')),
  ...[192, 512].map((side) => icon('icon-maskable', side, 'maskable')),
]

/** The web app manifest (W3C) in one language. */
export const manifestJson = (language: string, { description, upload, latest }: AppManifestTexts): string =>
  JSON.stringify({
    // The same app in every language.
    id: pages.home,
    name: productName,
    short_name: productName,
    description,
    lang: language,
    dir: 'ltr',
    start_url: `${pages.home}?${languageParameter}=${language}`,
    scope: '/',
    display: 'standalone',
    theme_color: paper,
    background_color: paper,
    categories: ['photo', 'entertainment'],
    icons,
    shortcuts: [
      { name: upload, url: pages.upload },
      { name: latest, url: pages.latest },
    ].map((one) => ({ ...one, icons: [icon('icon', 192, 'any')] })),
  })
