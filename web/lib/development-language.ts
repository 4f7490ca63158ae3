import { isLanguage } from '@keepsnap/contract/languages.ts'
import { en, type Catalogue } from '../messages/en.ts'
import { createFormat } from './format.ts'
import type { LocaleData } from './i18n.tsx'
import { pseudoCatalogue } from './pseudolocale.ts'

const translations = import.meta.glob<Partial<Catalogue>>(['../messages/*/*.ts', '!../messages/en/*'])

/** The language of `?locale=nl` or `?locale=pseudo` with `npm run dev`, which is built in English only; otherwise null. */
export async function developmentLanguage(page: Window): Promise<LocaleData | null> {
  const tag = new URLSearchParams(page.location.search).get('locale')
  if (tag === 'pseudo') return { tag: 'en-x-pseudo', text: pseudoCatalogue(en), format: createFormat('en') }
  if (!isLanguage(tag)) return null
  const files = Object.entries(translations).filter(([path]) => path.includes(`/${tag}/`))
  const parts = await Promise.all(files.map(([, load]) => load()))
  page.document.documentElement.lang = tag
  return { tag, text: Object.assign({}, en, ...parts), format: createFormat(tag) }
}
