import type { languages as english } from '../en/languages.ts'

export const languages: typeof english = {
  label: 'Sprache',
  hint: 'Für alles, was du hier siehst, und für die E-Mails, die wir dir schicken.',
  saveFailed:
    'Die Sprache ist in diesem Browser geändert, konnte aber nicht in deinem Konto gespeichert werden. Bitte versuch es noch einmal.',
}
