import type { reset as english } from '../en/reset.ts'

/** The page for setting a new password, opened from an email. */
export const reset: typeof english = {
  genericError: 'Er ging iets mis. Probeer het opnieuw.',
  toLogin: 'Terug naar inloggen',
  reset: {
    title: 'Nieuw wachtwoord instellen',
    heading: 'Stel een nieuw wachtwoord in',
    lead: 'Je wordt daarna op al je toestellen uitgelogd.',
    password: 'Nieuw wachtwoord',
    confirm: 'Herhaal je wachtwoord',
    submit: 'Wachtwoord instellen',
    done: 'Je wachtwoord is gewijzigd. Log nu in.',
    invalid: {
      heading: 'Deze link is niet geldig',
      missing: 'De link om je wachtwoord te wijzigen is ongeldig of onvolledig. Vraag een nieuwe aan.',
      request: 'Nieuwe link aanvragen',
    },
  },
}
