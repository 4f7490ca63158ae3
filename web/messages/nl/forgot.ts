import type { forgot as english } from '../en/forgot.ts'

/** Asking for a link to set a new password. */
export const forgot: typeof english = {
  genericError: 'Er ging iets mis. Probeer het opnieuw.',
  toLogin: 'Terug naar inloggen',
  title: 'Wachtwoord vergeten',
  heading: 'Wachtwoord vergeten?',
  lead: 'Vul het e-mailadres van je account in. We sturen je een link om een nieuw wachtwoord in te stellen.',
  submit: 'Link sturen',
  emailNeeded: 'Vul een e-mailadres in, zoals naam@example.com.',
  sent: {
    heading: 'Kijk in je mailbox',
    lead: 'Als er een account met dit adres bestaat, hebben we een link gestuurd naar:',
    hint: 'De link werkt één keer en blijft 30 minuten geldig. Niets gekregen? Kijk bij je spam of probeer het over een paar minuten opnieuw.',
    another: 'Een ander adres gebruiken',
  },
}
