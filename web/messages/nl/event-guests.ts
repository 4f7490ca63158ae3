import type * as english from '../en/event-guests.ts'

export const eventGuests: typeof english.eventGuests = {
  title: 'Foto’s van vanavond',
  description: 'De foto’s van dit feest, zodra ze genomen zijn.',
  all: 'Alle foto’s van vanavond',
  leads: {
    added: 'Alle foto’s, de nieuwste eerst.',
    taken: 'Alle foto’s, de laatst genomen eerst.',
  },
  newest: 'Nieuwste foto’s',
  fresh: 'Nieuwe foto’s',
  more: 'Meer foto’s',
  archive: (count, written, size) =>
    count === 1 ? `Download de foto (${size})` : `Download alle ${written} foto’s (${size})`,
  photoAlt: (time) => `Foto, ${time}`,
  empty: 'Nog geen foto’s. Ze verschijnen hier vanzelf.',
  noMore: 'Geen foto’s meer.',
  opens: (time) => `De foto’s gaan open om ${time}`,
  comeBack: 'Deze pagina gaat vanzelf open.',
  ended: { heading: 'Deze avond is voorbij. Codes op afgedrukte foto’s werken nog.', advice: '' },
  off: {
    heading: 'Hier zijn nog geen foto’s',
    advice: 'Vraag het aan de gastheren, of scan de code van een foto.',
  },
  unknown: {
    heading: 'Deze code werkt niet',
    advice: 'Misschien is ze vervangen door een nieuwe. Vraag die aan de gastheren.',
  },
  about: {
    noFaces: 'Hier wordt geen gezichtsherkenning gebruikt.',
    responsible: (name) => `${name} is verantwoordelijk voor deze foto’s.`,
    hosts: 'De gastheren zijn verantwoordelijk voor deze foto’s.',
    report: 'Open een foto om ze te melden.',
  },
}

export const eventEmails: typeof english.eventEmails = {
  tell: {
    open: 'Laat het me weten als ze opengaan',
    heading: 'Laat me weten wanneer de foto’s open zijn',
    send: 'Laat het me weten',
    consent: 'We gebruiken je adres voor deze ene e-mail, en verder nergens voor.',
    sent: 'We laten het je weten als ze opengaan',
    lead: 'Er gaat één e-mail naar',
    after: 'Die vertrekt zodra de foto’s open zijn.',
  },
  everything: {
    open: 'Stuur me alles',
    heading: 'Alle foto’s per e-mail',
    send: 'Stuur me de link',
    consent: 'We gebruiken je adres om deze link te sturen, en verder nergens voor.',
    lead: 'Een link naar alle foto’s is onderweg naar',
    after: 'De link werkt 72 uur. Op een computer gaat het bestand open met een dubbelklik.',
  },
}

export const scannedPhotos: typeof english.scannedPhotos = {
  photos: 'Jouw foto’s',
  email: 'Alles naar mijn adres sturen',
  send: 'Alles sturen',
  consent: 'We gebruiken je adres om deze foto’s te sturen, en verder nergens voor.',
  onTheirWay: 'Je foto’s zijn onderweg naar',
  arrival: 'Meestal zijn ze er binnen een minuut. Als veel gasten tegelijk foto’s vragen, kan het wat langer duren.',
  remember: '30 dagen onthouden',
  forget: 'Vergeten',
  script: {
    one: 'Je hebt 1 foto van vanavond',
    many: 'Je hebt {} foto’s van vanavond',
    lead: 'Geen gezichtsherkenning. Deze lijst staat alleen op deze telefoon, 48 uur lang.',
    leadRemembered: 'Geen gezichtsherkenning. Deze lijst staat alleen op deze telefoon, 30 dagen lang.',
    photo: 'Foto {}',
    save: 'Bewaren',
    loading: '{} van {} geladen',
    saveAll: 'Alles bewaren',
    saveFirst: 'De eerste {} bewaren',
    saveNext: 'De volgende {} bewaren',
    saved: 'Dat waren ze allemaal.',
    again: 'Opnieuw laden',
    notLoaded: 'Niet alle foto’s konden geladen worden. Controleer je verbinding en probeer opnieuw.',
    tapAgain: 'De foto’s zijn klaar. Tik nog eens.',
    notShared: 'Samen bewaren lukt hier niet. Gebruik Bewaren onder elke foto.',
    byEmail: 'Foto’s zonder Bewaren komen per e-mail.',
    droppedOne: '1 foto wordt niet meer gedeeld en staat niet meer in deze lijst.',
    dropped: '{} foto’s worden niet meer gedeeld en staan niet meer in deze lijst.',
    allDropped: 'De foto’s die je hier had, worden niet meer gedeeld.',
    forgotten: 'Vergeten. Van deze lijst staat niets meer op deze telefoon.',
    newest: 'De nieuwste {} gaan in de e-mail.',
  },
}

export const eventOrder: typeof english.eventOrder = {
  label: 'Volgorde van de foto’s',
  orders: { added: 'Op toevoegtijd', taken: 'Op opnametijd' },
  hours: 'Uren met foto’s',
  hour: (time, count, written) => (count === 1 ? `${time}, 1 foto` : `${time}, ${written} foto’s`),
}

export const eventCodes: typeof english.eventCodes = {
  heading: 'Code voor gasten',
  lead: 'Zet ze op de tafels: ze brengt elke gast naar de galerij van dit evenement.',
  off: 'Gasten zien nog niets: zet de gastengalerij aan.',
  alt: 'QR-code van dit evenement',
  open: 'Openen als gast',
  print: 'Afdrukken',
  printLabel: (label) => `De code van ${label} afdrukken`,
  renew: 'Code vervangen',
  confirmRenew: {
    title: 'De code van dit evenement vervangen?',
    question:
      'De code die je hebt afgedrukt of gedeeld werkt meteen niet meer, en haar links ook niet. Codes van tafels en van foto’s blijven werken.',
    confirm: 'Code vervangen',
    done: 'Het evenement heeft een nieuwe code.',
  },
  tables: {
    heading: 'Tafels',
    lead: 'Elke tafel kan een eigen code hebben. Ze leidt naar dezelfde galerij.',
    count: 'Aantal tafels',
    name: (number) => `Tafel ${number}`,
    add: 'Tafels toevoegen',
    label: 'Of één naam',
    addOne: 'Toevoegen',
    revokeLabel: (label) => `De code van ${label} intrekken`,
  },
  confirmRevoke: {
    title: (label) => `De code van ${label} intrekken?`,
    question: 'Ze werkt meteen niet meer, ook niet op papier. Je kunt altijd een nieuwe toevoegen.',
    confirm: 'Intrekken',
    done: 'De code is ingetrokken.',
  },
  errors: {
    load: 'De codes konden niet worden geladen.',
    change: 'De codes konden niet worden gewijzigd. Probeer het opnieuw.',
  },
}

export const eventPrint: typeof english.eventPrint = {
  lead: 'Een code voor alle foto’s, voor op de tafels en bij de ingang.',
  code: 'Code',
  own: 'Het hele evenement',
  gone: 'Dit evenement bestaat niet meer.',
  failed: 'De code kon niet worden geladen.',
}

export const eventOnScreen: typeof english.eventOnScreen = {
  all: 'Alle foto’s',
  add: 'Voeg foto’s toe',
  alt: 'QR-code van dit evenement',
}
