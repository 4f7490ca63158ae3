import { createContext, use, type ReactNode } from 'react'
import type { Catalogue } from '../messages/en.ts'
import type { Format } from './format.ts'

/** The language of a page: its formats of numbers and times, and its catalogue where it is not the one of the build. */
export interface LocaleData {
  /** BCP 47, as in the `lang` attribute. */
  tag: string
  /**
   * Null for the sentences that components import: the app is built once per language, which replaces them. The guest pages
   * are built once for all languages; tests show the pseudolocale.
   */
  text: Catalogue | null
  format: Format
}

const LanguageContext = createContext<LocaleData | null>(null)

export const LanguageProvider = ({ language, children }: { language: LocaleData; children: ReactNode }) => (
  <LanguageContext value={language}>{children}</LanguageContext>
)

function useLanguage(): LocaleData {
  const language = use(LanguageContext)
  if (!language) throw new Error('no LanguageProvider around this component')
  return language
}

/** One part of the catalogue in the user's language: `useText({ home })`, with the `home` of messages/en. */
export function useText<Name extends keyof Catalogue>(imported: Pick<Catalogue, Name>): Catalogue[Name] {
  const { text } = useLanguage()
  const name = Object.keys(imported)[0] as Name // the only key of the argument
  return (text ?? imported)[name]
}

/** Formats of the user's locale. */
export const useFormat = (): Format => useLanguage().format

/** The catalogue of the user's language, where it is not the one of the build. */
export const useCatalogue = (): Catalogue | null => useLanguage().text

/** The tag of the user's language. */
export const useLanguageTag = (): string => useLanguage().tag
