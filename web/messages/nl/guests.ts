import type * as english from '../en/guests.ts'

export const guest: typeof english.guest = {
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
    tellMe: 'Laat me ook weten wanneer de galerij open is',
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

export const readiness: typeof english.readiness = {
  name: 'Klaar voor vanavond?',
  lead: 'Controleer alles voordat de eerste gast er is.',
  start: 'Nu controleren',
  again: 'Opnieuw controleren',
  results: 'Wat is gecontroleerd',
  states: { ok: 'OK', attention: 'Vraagt aandacht', pending: 'Even wachten', idle: 'Nog niet gecontroleerd' },
  email: {
    title: 'E-mails',
    idle: (address) => `De controle stuurt een testmail naar ${address}.`,
    sending: 'De testmail is onderweg naar de mailserver.',
    delayed: (reason) => `De testmail wacht nog. ${reason}`,
    sent: (time, address) =>
      `De mailserver heeft de testmail geaccepteerd om ${time}. Kijk of hij is aangekomen op ${address}.`,
    outbox: (time) =>
      `Om ${time} als bestand bewaard in de outbox-map van de server: er is geen mailserver ingesteld, dus gasten krijgen geen e-mails.`,
    failed: (reason) => `De testmail is niet geaccepteerd. ${reason}`,
    failedUnknown: 'Vraag de beheerder van deze site om de mailserver na te kijken.',
    notSent: 'De testmail versturen is niet gelukt. Probeer het opnieuw.',
    unknown: 'We weten niet wat er met de testmail gebeurd is.',
  },
  code: {
    title: 'Scannen',
    idle: 'De controle toont een code. Scan die met een telefoon zoals je gasten er een hebben, op het netwerk dat ze zullen gebruiken.',
    scan: 'Scan deze code met een telefoon.',
    alt: 'Testcode',
    opened: (time) => `Een telefoon heeft de code geopend om ${time}. Gasten kunnen deze site bereiken.`,
    expired: 'De code is verlopen. Controleer opnieuw voor een nieuwe.',
    hint: 'Gebeurt er niets als je scant? Dan kunnen telefoons op dat netwerk deze site niet bereiken.',
    failed: 'De code maken is niet gelukt. Probeer het opnieuw.',
  },
  photos: {
    title: 'Foto’s',
    ok: (left, until) => `Nog ${left} foto’s tot ${until}.`,
    few: (left, most, until) =>
      `Nog maar ${left} van ${most} foto’s tot ${until}. Met een groter abonnement krijg je er meer.`,
    none: (until) => `Geen foto’s meer tot ${until}. Nieuwe wachten in de uploadlijst.`,
  },
  storage: {
    title: 'Opslagruimte',
    ok: (left) => `Nog ${left} vrij.`,
    few: (left, most) => `Nog maar ${left} van ${most} vrij. Verwijder foto’s of neem een groter abonnement.`,
    none: 'Vol. Nieuwe foto’s wachten in de uploadlijst tot je er andere verwijdert.',
  },
  plan: {
    title: 'Abonnement',
    free: (name) => `${name}, zonder einddatum.`,
    renews: (name, date) => `${name}, wordt verlengd op ${date}.`,
    ends: (name, date) => `${name}, loopt tot ${date}.`,
    endsSoon: (name, date, next) => `${name} loopt tot ${date}. Daarna wordt je abonnement ${next}.`,
    pastDue: (name, date) => `Er staat een betaling open. ${name} loopt door tot ${date}.`,
  },
  connection: {
    title: 'Liveverbinding',
    ok: (time) => `Verbonden. Laatste contact om ${time}. Nieuwe foto’s verschijnen meteen.`,
    connecting: 'Verbinden met de server.',
    lost: 'Niet verbonden. Nieuwe foto’s verschijnen binnen een minuut in plaats van meteen.',
  },
  planUnknown: 'We kunnen je abonnement nu niet ophalen.',
  actions: {
    plans: 'Bekijk de abonnementen',
    gallery: 'Galerij openen',
    subscription: 'Je abonnement bekijken',
  },
}

export const reports: typeof english.reports = {
  heading: 'Gemelde foto’s',
  lead: 'Een verborgen foto is voor gasten meteen weg: codes, pagina’s en links in e-mails werken niet meer. Jij ziet hem nog, en je kunt hem weer tonen.',
  reasons: {
    me: 'Ik sta erop en wil dat niet',
    child: 'Er staat een kind op',
    hurtful: 'De foto is kwetsend',
    illegal: 'De foto is misschien illegaal',
    other: 'Een andere reden',
  },
  badges: {
    open: 'Te beoordelen',
    hide: 'Verborgen voor gasten',
    keep: 'Zichtbaar',
    operator: 'Verborgen door de beheerder',
  },
  inGallery: 'in de galerij',
  label: (name) => `Meldingen over ${name}`,
  more: (count) => (count === 1 ? 'Nog 1 melding' : `Nog ${count} meldingen`),
  hide: 'Verbergen voor gasten',
  keep: 'Zichtbaar laten',
  show: 'Weer tonen',
  mistake: 'Denk je dat dit een vergissing is?',
  support: 'Contact opnemen',
  undo: 'Ongedaan maken',
  done: {
    hide: 'Verborgen. Gasten kunnen de foto niet meer openen.',
    keep: 'Gasten kunnen de foto openen. De meldingen zijn afgehandeld.',
    undo: 'Gasten kunnen de foto weer openen. Je moet hem nog beoordelen.',
    staysHidden: 'De foto blijft verborgen voor gasten.',
  },
  notice: {
    label: 'Gemelde foto’s',
    heading: 'Een gast heeft deze foto gemeld',
    more: (photos) => (photos === 1 ? 'en nog 1 foto' : `en nog ${photos} foto’s`),
    review: 'Bekijken',
    dismiss: 'Later',
  },
  sign: (photos) => (photos === 1 ? '1 foto gemeld' : `${photos} foto’s gemeld`),
  confirmShow: {
    title: 'Deze foto weer tonen?',
    question: 'Gasten kunnen hem dan weer openen via de codes, pagina’s en e-mails.',
    confirm: 'Weer tonen',
  },
  reviewed: (count) => (count === 1 ? '1 foto afgehandeld' : `${count} foto’s afgehandeld`),
  errors: {
    decide: 'Je beslissing opslaan is niet gelukt. Probeer het opnieuw.',
    undo: 'Ongedaan maken is niet gelukt. Probeer het opnieuw.',
  },
}

export const requests: typeof english.requests = {
  title: 'Fotoaanvragen',
  summary: {
    all: (count, written) => (count === 1 ? '1 aanvraag' : `${written} aanvragen`),
    sent: (written) => `${written} verstuurd`,
    failed: (written) => `${written} mislukt`,
    pending: (written) => `${written} in de wachtrij`,
    list: (parts) => parts.join(', '),
  },
  refresh: 'Vernieuwen',
  export: 'CSV exporteren',
  columns: { requester: 'Aanvrager', photo: 'Foto', requested: 'Aangevraagd', state: 'Status', action: 'Actie' },
  states: { queued: 'In de wachtrij', sent: 'Verstuurd', failed: 'Mislukt', waiting: 'Wacht nog' },
  nextAttempt: (when) => `Volgende poging: ${when}`,
  scheduledFor: (when) => `Gepland voor ${when}`,
  inGallery: 'in de galerij',
  view: 'Foto bekijken',
  resend: 'Opnieuw sturen',
  resendTo: (address) => `Opnieuw sturen naar ${address}`,
  more: 'Meer tonen',
  search: 'Zoeken op e-mailadres',
  filter: 'Status',
  allStates: 'Alle statussen',
  found: (count, written) => (count === 1 ? '1 aanvraag gevonden' : `${written} aanvragen gevonden`),
  noMatch: 'Geen aanvragen gevonden.',
  showAll: 'Alle aanvragen tonen',
  exportsAll: 'CSV exporteren geeft alle aanvragen, niet alleen de gevonden.',
  removal: (day, count, written) =>
    count === 1
      ? `Op ${day} wordt 1 adres verwijderd. Exporteer het eerst als je het nodig hebt.`
      : `Op ${day} worden ${written} adressen verwijderd. Exporteer ze eerst als je ze nodig hebt.`,
  loadingMore: 'Meer aanvragen laden',
  resendAll: 'Alle mislukte opnieuw sturen',
  resendFailed: {
    title: 'Alle mislukte e-mails opnieuw sturen?',
    question: (count, written) =>
      count === 1
        ? '1 e-mail is mislukt en wordt opnieuw gestuurd.'
        : `${written} e-mails zijn mislukt en worden opnieuw gestuurd.`,
    details:
      'Gasten die zich hebben afgemeld, en foto’s die verborgen zijn of niet verwerkt konden worden, slaan we over. De limieten voor e-mails gelden: sommige gaan later weg.',
    confirm: 'Opnieuw sturen',
    queued: (count, written) =>
      count === 1 ? '1 e-mail wordt opnieuw gestuurd.' : `${written} e-mails worden opnieuw gestuurd.`,
    waiting: (count, written) =>
      count === 1
        ? '1 e-mail wordt later gestuurd vanwege een limiet.'
        : `${written} e-mails worden later gestuurd vanwege een limiet.`,
    refused: (count, written) =>
      count === 1
        ? '1 e-mail kan niet opnieuw worden gestuurd.'
        : `${written} e-mails kunnen niet opnieuw worden gestuurd.`,
    left: (count, written) =>
      count === 1
        ? 'Er is nog 1 mislukte e-mail. Stuur die hierna.'
        : `Er zijn nog ${written} mislukte e-mails. Stuur die hierna.`,
    none: 'Er zijn geen mislukte e-mails meer.',
  },
  empty: 'Nog geen aanvragen. Ze verschijnen hier zodra een gast een foto aanvraagt.',
  askForEmail: 'E-mailadres vragen',
  filename: (day) => `fotoaanvragen-${day}.csv`,
  errors: {
    load: 'De fotoaanvragen laden is niet gelukt. Probeer het opnieuw.',
    more: 'Meer fotoaanvragen laden is niet gelukt. Probeer het opnieuw.',
    resend: 'De e-mail opnieuw sturen is niet gelukt. Probeer het opnieuw.',
    resendAll: 'De e-mails opnieuw sturen is niet gelukt. Misschien zijn er al enkele verstuurd. Probeer het opnieuw.',
    export: 'De fotoaanvragen exporteren is niet gelukt. Probeer het opnieuw.',
  },
}
