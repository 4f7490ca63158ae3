import { languageParameter, type Language } from '@keepsnap/contract/languages.ts'
import { pages } from '@keepsnap/contract/pages.ts'

/** The support page, and its form, in a language. */
export const supportPath = (language: Language): string => `${pages.support}?${languageParameter}=${language}`
/** Path of a photo's request page and of its form: `requestPage` and `requestPageForm` of the contract. */
export const photoRequestPath = (id: string): string => `/request-photo/${encodeURIComponent(id)}`
