import type { notFound as english } from '../en/not-found.ts'

export const notFound: typeof english = {
  title: 'Seite nicht gefunden',
  heading: 'Diese Seite klebt nicht im Album',
  lead: 'Vielleicht hast du dich vertippt, oder die Seite ist umgezogen.',
  print: 'Hier hat niemand abgedrückt',
  goBack: 'Zurück',
  goHome: 'Zur Startseite',
  stillLost: 'Kommst du nicht weiter?',
  contactSupport: 'Schreib uns',
}
