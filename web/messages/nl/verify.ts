import type { verify as english } from '../en/verify.ts'

/** The page for confirming an email address, opened from an email. */
export const verify: typeof english = {
  genericError: 'Er ging iets mis. Probeer het opnieuw.',
  title: 'Bevestig je adres',
  heading: 'Is dit je adres?',
  lead: 'Klik om je adres te bevestigen.',
  submit: 'Mijn adres bevestigen',
  done: {
    heading: 'Je adres is bevestigd',
    lead: 'Het e-mailadres van je account:',
    settings: 'Naar Instellingen',
    login: 'Inloggen',
  },
  expired: {
    heading: 'Deze link werkt niet meer',
    lead: 'Hij is verlopen of al gebruikt. In Instellingen kun je een nieuwe aanvragen.',
    settings: 'Naar Instellingen',
  },
}
