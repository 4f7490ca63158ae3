import type { languages as english } from '../en/languages.ts'

export const languages: typeof english = {
  label: 'Langue',
  hint: 'Pour tout ce que vous voyez ici et pour les e-mails que nous vous envoyons.',
  saveFailed: 'Nous n’avons pas pu enregistrer la langue. Veuillez réessayer.',
}
