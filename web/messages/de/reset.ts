import type { reset as english } from '../en/reset.ts'

export const reset: typeof english = {
  genericError: 'Da ist etwas schiefgegangen. Bitte versuch es noch einmal.',
  toLogin: 'Zurück zur Anmeldung',
  reset: {
    title: 'Neues Passwort festlegen',
    heading: 'Neues Passwort festlegen',
    lead: 'Danach bist du auf allen Geräten abgemeldet.',
    password: 'Neues Passwort',
    confirm: 'Passwort wiederholen',
    submit: 'Passwort speichern',
    done: 'Dein Passwort ist geändert. Bitte melde dich an.',
    invalid: {
      heading: 'Link ungültig',
      missing: 'Dieser Link ist ungültig oder unvollständig. Bitte fordere einen neuen an.',
      request: 'Neuen Link anfordern',
    },
  },
}
