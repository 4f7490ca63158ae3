import { updateSettings } from '@keepsnap/contract/accounts.ts'
import { type Language, languageNames, languageParameter, languages } from '@keepsnap/contract/languages.ts'
import { type MouseEvent, useState } from 'react'
import { useLocation } from 'react-router'
import { useApi, useSessionState } from '../lib/app-services.tsx'
import { useLanguageTag, useText } from '../lib/i18n.tsx'
import { chooseLanguage } from '../lib/language-choice.ts'
import { languages as languagesText } from '../messages/en/frame.ts'
import { useToast } from './Toasts.tsx'

/** The query of this page in another language. */
function inLanguage(search: string, language: Language): string {
  const query = new URLSearchParams(search)
  query.set(languageParameter, language)
  return query.toString()
}

/** The languages by their own names. A link loads the page again, and stores the choice here and in the account. */
export function LanguageLinks() {
  const text = useText({ languages: languagesText })
  const api = useApi()
  const shownLanguage = useLanguageTag()
  const toast = useToast()
  const { search } = useLocation()
  const isSignedIn = useSessionState().token !== null
  const [busy, setBusy] = useState<Language | null>(null)
  const choose = async (event: MouseEvent, language: Language): Promise<void> => {
    // Opening it in another tab shows that language there, once.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (busy) return
    setBusy(language)
    try {
      // For emails and other devices.
      if (isSignedIn) await api.call(updateSettings, { body: { language } })
      chooseLanguage(window, language)
    } catch {
      toast({ text: text.saveFailed, tone: 'bad' })
    }
    setBusy(null)
  }
  return (
    <ul className="language-links" aria-label={text.label}>
      {languages.map((language) => (
        <li key={language}>
          {language === shownLanguage ? (
            <span aria-current="true" lang={language} translate="no">
              {languageNames[language]}
            </span>
          ) : (
            <a
              href={`?${inLanguage(search, language)}`}
              hrefLang={language}
              lang={language}
              translate="no"
              aria-busy={busy === language || undefined}
              onClick={(event) => void choose(event, language)}
            >
              {languageNames[language]}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
