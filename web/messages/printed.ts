import { defaultLanguage, isLanguage, type Language } from '@keepsnap/contract/languages.ts'
import { printed as de } from './de/printed.ts'
import { printed as fr } from './fr/printed.ts'
import { printed as nl } from './nl/printed.ts'
import type { PrintedTexts } from './printed-texts.ts'

/**
 * In all four languages in every build of the app: guests may speak another language than the owner, so that a card can be
 * printed in any of them, or in two.
 */
export const printed: Record<Language, PrintedTexts> = {
  en: {
    language: 'en',
    keep: 'Scan to keep this photo',
    get: 'Scan to get this photo',
    point: 'Point your camera here.',
    noApp: 'No app, no account.',
    byEmail: 'We’ll email it to you.',
    steps: {
      keep: ['Open your camera', 'Point it at the code', 'Keep your photo'],
      get: ['Open your camera', 'Point it at the code', 'Enter your email'],
    },
    join: 'Join the Wi-Fi',
    scan: 'Scan',
  },
  nl,
  fr,
  de,
}

/** The language of a page's `lang` attribute, for the texts of a new card. */
export const printedLanguageOf = (tag: string): Language => (isLanguage(tag) ? tag : defaultLanguage)
