import type { Language } from '@keepsnap/contract/languages.ts'
import type { PrintedTexts } from '../../messages/printed-texts.ts'
import { printed, printedLanguageOf } from '../../messages/printed.ts'
import type { PrintFormat } from './content.ts'
import { emptyWifi, type Wifi } from './wifi.ts'

/** What the owner chooses; kept while the page is open, and nowhere else. */
export interface PrintOptions {
  format: PrintFormat
  line: string
  language: Language
  secondLanguage: Language | null
  showsLogo: boolean
  hasWifi: boolean
  wifi: Wifi
}

/** In the language of the page, as guests mostly speak that of the owner. */
export const initialOptions = (pageLanguage: string): PrintOptions => ({
  format: 'card',
  line: '',
  language: printedLanguageOf(pageLanguage),
  secondLanguage: null,
  showsLogo: true,
  hasWifi: false,
  wifi: emptyWifi,
})

/** The texts of the chosen languages; the same language twice is once. */
export const textsOf = ({ language, secondLanguage }: PrintOptions): PrintedTexts[] =>
  [...new Set([language, secondLanguage])].flatMap((each) => (each === null ? [] : [printed[each]]))

const fileNames: Record<PrintFormat, string> = { card: 'card', four: 'cards', poster: 'poster' }

/** A name for the file: `keepsnap-card-IMG_4374.pdf`. */
export function pdfFilename(format: PrintFormat, photoName: string): string {
  const stem = photoName.replace(/\.[A-Za-z0-9]{1,7}$/, '').replace(/[^\p{L}\p{N}._-]+/gu, '-')
  return `keepsnap-${fileNames[format]}-${Array.from(stem).slice(0, 60).join('')}.pdf`
}
