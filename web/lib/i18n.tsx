import { createContext, use, useLayoutEffect, type ReactNode } from 'react'
import type { Catalogue } from '../messages/en.ts'
import type { Format } from './format.ts'
import type { Language } from './locales.ts'

const Spoken = createContext<Language | null>(null)

export function LanguageProvider({ language, children }: { language: Language; children: ReactNode }) {
  useLayoutEffect(() => {
    document.documentElement.lang = language.tag
  }, [language.tag])
  return <Spoken value={language}>{children}</Spoken>
}

function useLanguage(): Language {
  const language = use(Spoken)
  if (!language) throw new Error('no LanguageProvider around this component')
  return language
}

/** One part of the catalogue in the reader's language: `useText({ home })`, with the English `home` of messages/en. */
export function useText<Name extends keyof Catalogue>(english: Pick<Catalogue, Name>): Catalogue[Name] {
  const { text } = useLanguage()
  const name = Object.keys(english)[0] as Name // the argument has this key and no other
  return (text ?? english)[name]
}

/** Numbers, sizes and times as the reader writes them. */
export const useFormat = (): Format => useLanguage().format
