import type { verify as english } from '../en/verify.ts'

export const verify: typeof english = {
  genericError: 'Da ist etwas schiefgegangen. Bitte versuch es noch einmal.',
  title: 'Adresse bestätigen',
  heading: 'Ist das deine Adresse?',
  lead: 'Mit einem Klick bestätigst du deine Adresse.',
  submit: 'Adresse bestätigen',
  done: {
    heading: 'Deine Adresse ist bestätigt',
    lead: 'Die E-Mail-Adresse deines Kontos:',
    settings: 'Zu den Einstellungen',
    login: 'Anmelden',
  },
  expired: {
    heading: 'Dieser Link gilt nicht mehr',
    lead: 'Er ist abgelaufen oder wurde schon verwendet. In den Einstellungen kannst du einen neuen anfordern.',
    settings: 'Zu den Einstellungen',
  },
}
