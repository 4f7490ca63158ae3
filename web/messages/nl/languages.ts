import type { languages as english } from '../en/languages.ts'

export const languages: typeof english = {
  label: 'Taal',
  hint: 'Voor alles wat je hier ziet, en voor de e-mails die we je sturen.',
  saveFailed:
    'De taal is in deze browser gewijzigd, maar we konden ze niet in je account opslaan. Probeer het opnieuw.',
}
