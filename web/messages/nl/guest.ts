import type { guest as english } from '../en/guest.ts'

/** The pages for guests: people who scanned a code or opened a link in an email and don't know the product. */
export const guest: typeof english = {
  titles: {
    request: 'Vraag je foto aan',
    photo: 'Je foto',
    sample: 'Voorbeeldfoto',
    reported: 'Deze foto melden',
    gone: 'Foto niet beschikbaar',
    expired: 'Link verlopen',
    unsubscribe: 'Foto’s per e-mail',
    unknown: 'Link ongeldig',
    unavailable: 'Even niet beschikbaar',
  },
  descriptions: {
    request: 'Vul je e-mailadres in en we sturen je de foto.',
    photo: 'Je foto staat klaar om te bewaren.',
    sample: 'Een voorbeeldfoto, zoals gasten hun foto’s krijgen.',
    other: 'Scan een code en de foto is van jou.',
  },
  yourPhoto: 'Je foto',
  madeWith: 'Gemaakt met',
  request: {
    heading: 'Waar mogen we je foto naartoe sturen?',
    label: 'Je e-mailadres',
    placeholder: 'naam@example.com',
    send: 'Stuur mijn foto',
    sending: 'Wordt verstuurd',
    cancel: 'Annuleren',
    consent: 'We gebruiken je adres om deze foto te sturen, en voor niets anders.',
    privacy: 'Privacybeleid',
    failed: 'Je aanvraag versturen is niet gelukt. Probeer het later opnieuw.',
    offline: 'Je lijkt offline te zijn. Controleer je verbinding en probeer het opnieuw.',
    problems: {
      missing: 'Vul je e-mailadres in',
      at: 'Vul een volledig adres in, zoals naam@example.com',
      ending: 'Het einde van het adres ontbreekt, zoals .be of .com',
      several: 'Vul maar één adres in',
      space: 'Er staat een spatie in het adres',
      characters: 'Er staan tekens in het adres die niet mogen',
      long: 'Het adres is te lang',
      form: 'Dit lijkt geen e-mailadres te zijn',
    },
    // A field that only bots see and fill in.
    honeypot: 'Laat dit leeg',
    emailOff: {
      heading: 'Foto’s sturen kan hier nog niet',
      lead: 'E-mail is hier niet ingesteld. Vraag aan wie de code deelde hoe je de foto anders kunt krijgen.',
    },
  },
  sent: {
    heading: 'Aanvraag verstuurd!',
    toast: 'Je aanvraag is verstuurd! Kijk in je mailbox.',
    onItsWay: 'Je foto is onderweg naar',
    arrival: 'Meestal is hij er binnen een minuut. Als veel gasten tegelijk een foto vragen, kan het wat langer duren.',
    afterProcessing: 'We sturen de foto zodra hij klaar is.',
    spam: 'Niets gekregen? Kijk bij je spam en controleer het adres hierboven.',
    another: 'Naar een ander adres sturen',
  },
  wait: {
    processing: 'Nog even geduld.',
    automatic: 'De foto verschijnt hier vanzelf.',
    ready: 'Je foto is klaar.',
    checkAgain: 'Opnieuw kijken',
  },
  save: {
    download: 'Downloaden',
    save: 'Bewaren',
    fetching: 'Foto ophalen',
    tapAgain: 'Je foto is klaar. Tik nog eens op Bewaren.',
    nothingHappened: 'Gebeurt er niets? Houd je vinger op de foto, of open deze pagina in je browser.',
    downloadFile: 'Bestand downloaden',
    share: 'Delen',
    expires: 'deze link werkt tot',
  },
  sample: {
    note: 'Een voorbeeldfoto. Op een feest bewaren gasten hier hun eigen foto.',
    demo: 'Bekijk het grote scherm',
  },
  gone: {
    photo: {
      heading: 'We kunnen deze foto niet tonen',
      reason: 'Deze foto kan niet worden geladen. Misschien bestaat hij niet meer of is hij privé.',
      advice: 'Had je hem wel verwacht? Vraag het aan wie de foto heeft gemaakt.',
    },
    expired: {
      heading: 'Deze link is verlopen',
      advice: (hours) => `Links naar foto’s werken ${hours} uur. Scan de code opnieuw voor een nieuwe link.`,
    },
    unsubscribe: {
      heading: 'Deze link is niet geldig',
      advice:
        'Misschien ontbreekt er een stuk. Open hem opnieuw vanuit de e-mail, of kopieer de hele link in je browser.',
    },
    unavailable: {
      heading: 'Een ogenblik',
      advice: 'Deze pagina kan nu even niet worden getoond. Er is niets verloren: ze laadt vanzelf opnieuw.',
      sendAgain: 'Dit kon nu even niet worden verstuurd. Ga terug en verstuur het over een minuut opnieuw.',
    },
    home: 'Terug naar de startpagina',
  },
  unsubscribe: {
    ask: {
      heading: 'Geen foto’s meer krijgen?',
      lead: (host) =>
        `Iemand heeft je e-mailadres ingevuld op een fotopagina van ${host}. ` +
        `Klik op de knop en ${host} stuurt geen foto’s meer naar dit adres.`,
      note: 'Je kunt dit hier ook ongedaan maken. E-mails over je eigen account blijven komen.',
      button: 'Stuur mij geen foto’s meer',
    },
    stopped: {
      heading: 'Je krijgt geen foto’s meer',
      lead: (host) => `${host} stuurt geen foto’s meer naar je adres, ook niet als iemand ze aanvraagt.`,
      note: 'Toch van gedachten veranderd? Open dan opnieuw de link in de e-mail.',
      button: 'Foto’s weer toestaan',
    },
    allowed: {
      heading: 'Je krijgt weer foto’s',
      lead: (host) => `Als iemand je adres invult op een fotopagina van ${host}, sturen we de foto naar je toe.`,
      note: 'Wil je ze toch niet? In elke e-mail staat een link om te stoppen.',
    },
  },
  report: {
    open: 'Deze foto melden',
    heading: 'Wat is er mis met deze foto?',
    reasons: {
      me: 'Ik sta erop en wil dat niet',
      child: 'Er staat een kind op dat niet getoond mag worden',
      hurtful: 'De foto is kwetsend of vernederend',
      illegal: 'De foto is misschien illegaal',
      other: 'Iets anders',
    },
    note: 'Wil je er iets bij zeggen? (optioneel)',
    send: 'Melding versturen',
    sending: 'Wordt verstuurd',
    choose: 'Kies een reden.',
    failed: 'Je melding versturen is niet gelukt. Probeer het opnieuw.',
    thanks: 'Bedankt',
    thanksLead: 'Je melding is aangekomen bij de verantwoordelijke voor deze foto. Die ziet niet wie de melding deed.',
    back: 'Terug naar de foto',
  },
}
