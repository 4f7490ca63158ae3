import { createContext, use, useLayoutEffect, type ReactNode } from 'react'
import type { Catalogue } from '../messages/en.ts'
import type { Format } from './format.ts'
import type { Language } from './locales.ts'

const LanguageContext = createContext<Language | null>(null)

export function LanguageProvider({ language, children }: { language: Language; children: ReactNode }) {
  useLayoutEffect(() => {
    document.documentElement.lang = language.tag
  }, [language.tag])
  return <LanguageContext value={language}>{children}</LanguageContext>
}

function useLanguage(): Language {
  const language = use(LanguageContext)
  if (!language) throw new Error('no LanguageProvider around this component')
  return language
}

/** One part of the catalogue in the user's language: `useText({ home })`, with the English `home` of messages/en. */
export function useText<Name extends keyof Catalogue>(english: Pick<Catalogue, Name>): Catalogue[Name] {
  const { text } = useLanguage()
  const name = Object.keys(english)[0] as Name // the only key of the argument
  return (text ?? english)[name]
}

/** Formats of the user's locale. */
export const useFormat = (): Format => useLanguage().format
