import { basename, join } from 'node:path'
import { existsSync, readFileSync } from 'node:fs'
import type { Declaration } from 'postcss'
import { build, type CSSOptions, type Plugin } from 'vite'
import { defaultLanguage, isLanguage, type Language } from '@keepsnap/contract/languages.ts'
import { commonStems } from '@keepsnap/contract/form-rules.ts'
import { noScript as german } from './messages/de/frame.ts'
import { noScript as english } from './messages/en/frame.ts'
import { noScript as french } from './messages/fr/frame.ts'
import { noScript as dutch } from './messages/nl/frame.ts'

/** The oldest browsers that run the app, in the names of Vite; `unsupported` in messages/en/frame.ts tells them to users. */
export const appBrowsers = ['chrome108', 'safari16.4', 'firefox115']

/** The oldest browser that runs the script of guest pages, and shows them as they are meant. */
export const guestBrowsers = ['chrome64', 'safari12', 'firefox68']

/** Style sheets of the app are written for older browsers than its scripts: `max-width` instead of a range, `vh` before `dvh`. */
export const appStyleBrowsers = ['chrome88', 'safari14', 'firefox82']

/** Writes `vh` before each `dvh`, which browsers know since 2022. */
export const styleOptions: CSSOptions = {
  postcss: {
    plugins: [
      {
        postcssPlugin: 'vh-before-dvh',
        Once(styles) {
          const found: Declaration[] = []
          styles.walkDecls((declaration) => void (/\ddvh\b/.test(declaration.value) && found.push(declaration)))
          for (const declaration of found) {
            const { parent, variable } = declaration
            const value = declaration.value.replaceAll(/(?<=\d)dvh\b/g, 'vh')
            if (!variable) declaration.cloneBefore({ value })
            else if (parent) {
              // The last value of a custom property counts, whether its browser knows the unit or not.
              const inDvh = parent.clone({ nodes: [declaration.clone()] })
              parent.after({ name: 'supports', params: '(height: 1dvh)', nodes: [inDvh] })
              declaration.value = value
            }
          }
        },
      },
    ],
  },
}

/** Bundles and minifies a script of the guest pages. Pages contain one or more. */
export async function buildGuestScript(name: 'main' | 'gallery' | 'add-photos' | 'scanned-photos'): Promise<string> {
  const built = await build({
    configFile: false,
    root: join(import.meta.dirname, 'guest'),
    logLevel: 'warn',
    build: {
      write: false,
      minify: true,
      target: guestBrowsers,
      rolldownOptions: { input: join(import.meta.dirname, `guest/script/${name}.ts`), output: { format: 'iife' } },
    },
  })
  const output = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  const [first, ...more] = output
  if (first?.type !== 'chunk' || more.length > 0) throw new Error('the script of the guest pages is not one file')
  if (/<\/script/i.test(first.code)) throw new Error('the script of the guest pages contains its own closing tag')
  return first.code.trim()
}

const noScript: Record<Language, typeof english> = { en: english, nl: dutch, fr: french, de: german }

/** The language of this build, from the environment; scripts/web-build.mjs builds the app once for each. */
export function languageOfBuild(value: string | undefined): Language {
  if (value === undefined) return defaultLanguage
  if (!isLanguage(value)) throw new Error(`There is no language ${value}; see contract/languages.ts.`)
  return value
}

/**
 * Replaces the sentences of `messages/en/<subject>.ts` by those of `messages/<language>/<subject>.ts` where that file exists, so
 * that a visitor downloads one language only. Files without a translation stay in English.
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

/**
 * Words in order as one text: of each, how many characters it has in common with the one before, as a letter from A on, and the
 * rest. The words contain no capitals.
 */
export function packWords(words: readonly string[]): string {
  let before = ''
  return words
    .map((word) => {
      let common = 0
      while (common < 25 && common < word.length && word[common] === before[common]) common += 1
      before = word
      return String.fromCodePoint(65 + common) + word.slice(common)
    })
    .join('')
}

/** The source of a module that unpacks them. */
export const unpackingModule = (packed: string): string =>
  `let before = ''
export default ${JSON.stringify(packed)}.match(/[A-Z][^A-Z]*/g).map((part) => (before = before.slice(0, part.charCodeAt(0) - 65) + part.slice(1)))`

/** Replaces the list of common passwords, 487 KB, by the part of it that is compared with: 30 KB with brotli. */
export const packCommonPasswords = (): Plugin => ({
  name: 'pack-common-passwords',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('@zxcvbn-ts/language-common/src/passwords.json')) return null
    const stems = commonStems(JSON.parse(readFileSync(id, 'utf8')) as string[]) // a list of texts
    return { code: unpackingModule(packWords([...stems].toSorted())), moduleType: 'js' }
  },
})
