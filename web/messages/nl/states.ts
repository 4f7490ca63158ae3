import type { states as english } from '../en/states.ts'

/** Shared by many pages: loading, errors, dialogs. */
export const states: typeof english = {
  loading: 'Laden...',
  saving: 'Opslaan...',
  profileFailed: 'Je profiel laden is niet gelukt.',
  tryAgain: 'Opnieuw proberen',
  cancel: 'Annuleren',
  close: 'Sluiten',
  showPassword: 'Wachtwoord tonen',
  hidePassword: 'Wachtwoord verbergen',
  pageError: {
    heading: 'Er ging iets mis',
    lead: 'Deze pagina is vastgelopen. Je foto’s zijn veilig. Opnieuw laden helpt meestal.',
    reloads: 'Deze pagina werkt niet meer. Je foto’s zijn veilig. De pagina wordt zo vanzelf opnieuw geladen.',
    reload: 'Pagina opnieuw laden',
  },
  tooManyRequests: (seconds) =>
    `Te veel verzoeken na elkaar. Wacht ${seconds} ${seconds === 1 ? 'seconde' : 'seconden'} en probeer het opnieuw.`,
  unreachable: {
    heading: 'We kunnen de server niet bereiken',
    lead: 'Controleer de verbinding van dit toestel. Je bent nog altijd ingelogd, en deze pagina probeert het vanzelf opnieuw.',
    retries: 'Controleer de verbinding van dit toestel. Deze pagina probeert het vanzelf opnieuw.',
  },
}
