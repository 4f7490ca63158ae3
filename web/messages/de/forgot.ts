import type { forgot as english } from '../en/forgot.ts'

export const forgot: typeof english = {
  genericError: 'Da ist etwas schiefgegangen. Bitte versuch es noch einmal.',
  toLogin: 'Zurück zur Anmeldung',
  title: 'Passwort vergessen',
  heading: 'Passwort vergessen?',
  lead: 'Gib die Adresse deines Kontos ein. Wir schicken dir einen Link, mit dem du ein neues Passwort festlegst.',
  submit: 'Link senden',
  emailNeeded: 'Bitte gib eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
  sent: {
    heading: 'Sieh in deinem Posteingang nach',
    lead: 'Wenn es zu dieser Adresse ein Konto gibt, haben wir einen Link geschickt an:',
    hint: 'Der Link gilt nur einmal, 30 Minuten lang. Nichts angekommen? Sieh im Spam-Ordner nach, oder versuch es in ein paar Minuten noch einmal.',
    another: 'Andere Adresse verwenden',
  },
}
