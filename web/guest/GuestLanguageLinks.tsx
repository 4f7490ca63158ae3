import { createContext, use } from 'react'
import type { GuestPageContext } from '@keepsnap/contract/guest.ts'
import {
  defaultLanguage,
  languageNames,
  languageParameter,
  languages,
  type Language,
} from '@keepsnap/contract/languages.ts'
import { useText } from '../lib/i18n.tsx'
import { languages as languagesText } from '../messages/en/languages.ts'

/** The language of the page that is rendered, and whether it links to others. */
export const GuestLanguageContext = createContext<Pick<GuestPageContext, 'language' | 'hasLanguageLinks'> | null>(null)

/** The language of the page that is rendered. */
export const useGuestLanguage = (): Language => use(GuestLanguageContext)?.language ?? defaultLanguage

/** Links to the page in the other languages. They need no JavaScript: the server stores the choice. */
export function GuestLanguageLinks() {
  const frame = use(GuestLanguageContext)
  const text = useText({ languages: languagesText })
  if (!frame?.hasLanguageLinks) return null
  return (
    <ul className="guest__languages" aria-label={text.label}>
      {languages.map((language) => (
        <li key={language}>
          {language === frame.language ? (
            <span aria-current="true" lang={language} translate="no">
              {languageNames[language]}
            </span>
          ) : (
            <a
              href={`?${languageParameter}=${language}`}
              hrefLang={language}
              lang={language}
              rel="nofollow"
              translate="no"
            >
              {languageNames[language]}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
