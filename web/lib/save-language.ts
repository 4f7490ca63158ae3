import type { Language } from '@keepsnap/contract/languages.ts'
import { updateSettings } from '@keepsnap/contract/accounts.ts'
import type { Api } from './api.ts'

/** Saves the language to the account, for emails and other devices. Loaded when somebody changes it. */
export const saveLanguage = (api: Api, language: Language): Promise<unknown> =>
  api.call(updateSettings, { body: { language } })
