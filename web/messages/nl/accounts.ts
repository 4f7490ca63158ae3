import type * as english from '../en/accounts.ts'

export const forgot: typeof english.forgot = {
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

export const reset: typeof english.reset = {
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

export const session: typeof english.session = {
  email: 'E-mailadres',
  password: 'Wachtwoord',
  printLine: 'Scan en bewaar deze foto',
  login: {
    title: 'Inloggen',
    heading: 'Welkom terug',
    submit: 'Inloggen',
    forgot: 'Wachtwoord vergeten?',
    newHere: 'Nieuw hier?',
    register: 'Registreren',
  },
  register: {
    title: 'Registreren',
    heading: 'Maak je eerste code',
    lead: (photos) => `${photos} foto’s per maand, gratis. Geen betaalkaart nodig.`,
    confirm: 'Herhaal je wachtwoord',
    submit: 'Registreren',
    agree: ['Als je een account maakt, aanvaard je de ', ' en heb je kennisgenomen van het ', '.'],
    haveAccount: 'Heb je al een account?',
    login: 'Inloggen',
    emailNeeded: 'Vul een e-mailadres in, zoals naam@example.com.',
    mismatch: 'De wachtwoorden zijn niet gelijk',
  },
  rules: {
    length: 'Minstens 8 tekens',
    upper: 'Een hoofdletter',
    lower: 'Een kleine letter',
    number: 'Een cijfer',
    special: 'Een speciaal teken',
  },
  ruleMet: 'in orde: ',
  ruleNotMet: 'ontbreekt nog: ',
  passwordMessages: {
    length: 'Je wachtwoord moet minstens 8 tekens lang zijn',
    upper: 'Je wachtwoord moet minstens één hoofdletter bevatten',
    lower: 'Je wachtwoord moet minstens één kleine letter bevatten',
    number: 'Je wachtwoord moet minstens één cijfer bevatten',
    special: 'Je wachtwoord moet minstens één speciaal teken bevatten',
  },
  strength: 'Sterkte:',
  commonPassword: 'Veel mensen gebruiken dit wachtwoord. Kies er een dat anderen niet gebruiken.',
  strengthLabels: ['Heel zwak', 'Zwak', 'Gemiddeld', 'Sterk', 'Heel sterk'],
  errors: {
    network: 'Geen verbinding. Controleer je internetverbinding.',
    invalid: 'Dit e-mailadres of wachtwoord klopt niet.',
    server: (status) => `Serverfout (${status}). Probeer het later opnieuw.`,
    loginFailed: (reason) => `Inloggen is niet gelukt: ${reason}`,
    unknown: 'Er ging iets onverwachts mis.',
    registered: 'Er is al een account met dit e-mailadres.',
    validation: (first) => `Dit klopt nog niet: ${first}`,
    checkInput: 'Controleer wat je hebt ingevuld',
    registerFailed: 'Registreren is niet gelukt. Probeer het opnieuw.',
  },
}

export const verify: typeof english.verify = {
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
