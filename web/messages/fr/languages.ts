import type { languages as english } from '../en/languages.ts'

export const languages: typeof english = {
  label: 'Langue',
  hint: 'Pour tout ce que vous voyez ici et pour les e-mails que nous vous envoyons.',
  saveFailed:
    'La langue est modifiée dans ce navigateur, mais nous n’avons pas pu l’enregistrer dans votre compte. Veuillez réessayer.',
}
