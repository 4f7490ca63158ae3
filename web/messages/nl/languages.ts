import type { languages as english } from '../en/languages.ts'

export const languages: typeof english = {
  label: 'Taal',
  hint: 'Voor alles wat je hier ziet, en voor de e-mails die we je sturen.',
  saveFailed: 'De taal opslaan is niet gelukt. Probeer het opnieuw.',
}
