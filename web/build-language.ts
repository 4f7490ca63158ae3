import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defaultLanguage, isLanguage, type Language } from '@keepsnap/contract/languages.ts'
import type { Plugin } from 'vite'
import { noScript as german } from './messages/de/no-script.ts'
import { noScript as english } from './messages/en/no-script.ts'
import { noScript as french } from './messages/fr/no-script.ts'
import { noScript as dutch } from './messages/nl/no-script.ts'

const noScript: Record<Language, typeof english> = { en: english, nl: dutch, fr: french, de: german }

/** The language of this build, from the environment; scripts/web-build.mjs builds the app once for each. */
export function languageOfBuild(value: string | undefined): Language {
  if (value === undefined) return defaultLanguage
  if (!isLanguage(value)) throw new Error(`There is no language ${value}; see contract/languages.ts.`)
  return value
}

/**
 * Replaces the sentences of `messages/en/<part>.ts` by those of `messages/<language>/<part>.ts` where that file exists, so
 * that a visitor downloads one language only. Parts without a translation stay in English.
 */
export const translateMessages = (language: Language): Plugin => ({
  name: 'translate-messages',
  enforce: 'pre',
  load: {
    filter: { id: /[\\/]web[\\/]messages[\\/]en[\\/][\w-]+\.ts$/ },
    handler(id) {
      const translation = join(id, '../..', language, basename(id))
      if (language === defaultLanguage || !existsSync(translation)) return null
      this.addWatchFile(translation)
      return readFileSync(translation, 'utf8')
    },
  },
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html
        .replace('<html lang="en">', `<html lang="${language}">`)
        .replace('%VITE_NO_SCRIPT%', noScript[language].needed)
        .replace('%VITE_UNSUPPORTED%', noScript[language].unsupported),
  },
})
