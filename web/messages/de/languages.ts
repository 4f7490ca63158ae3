import type { languages as english } from '../en/languages.ts'

export const languages: typeof english = {
  label: 'Sprache',
  hint: 'Für alles, was du hier siehst, und für die E-Mails, die wir dir schicken.',
  saveFailed: 'Die Sprache konnte nicht gespeichert werden. Bitte versuch es noch einmal.',
}
