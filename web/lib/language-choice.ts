import {
  defaultLanguage,
  isLanguage,
  languageCookieValue,
  languageInCookie,
  languageParameter,
  type Language,
} from '@keepsnap/contract/languages.ts'

/** The language of the page, which the server chose. */
export function pageLanguage(): Language {
  const { lang } = document.documentElement
  return isLanguage(lang) ? lang : defaultLanguage
}

/** Stores the language for this browser and reloads the page in it. While files are not uploaded, the browser asks first. */
export function chooseLanguage(page: Window, language: Language): void {
  const { document, location, history } = page
  document.cookie = languageCookieValue(language, location.protocol === 'https:')
  const url = new URL(location.href)
  url.searchParams.delete(languageParameter)
  // Without cookies, the choice holds for this page.
  if (languageInCookie(document.cookie) !== language) url.searchParams.set(languageParameter, language)
  history.replaceState(history.state, '', url)
  location.reload()
}

/**
 * Shows the page in the language of the account, on a device where no language was chosen. One reload at most: afterwards
 * there is a cookie, or the parameter.
 */
export function applyAccountLanguage(page: Window, language: Language | null): void {
  const isChosen =
    languageInCookie(page.document.cookie) !== undefined ||
    new URLSearchParams(page.location.search).has(languageParameter)
  if (language !== null && language !== pageLanguage() && !isChosen) chooseLanguage(page, language)
}
