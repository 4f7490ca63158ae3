import type * as english from '../en/event-guests.ts'

export const eventGuests: typeof english.eventGuests = {
  title: 'Fotos von heute Abend',
  description: 'Die Fotos dieser Veranstaltung, sobald sie gemacht sind.',
  all: 'Alle Fotos von heute Abend',
  leads: {
    added: 'Alle Fotos, die neuesten zuerst.',
    taken: 'Alle Fotos, die zuletzt aufgenommenen zuerst.',
  },
  newest: 'Neueste Fotos',
  fresh: 'Neue Fotos',
  more: 'Mehr Fotos',
  archive: (count, written, size) =>
    count === 1 ? `Das Foto herunterladen (${size})` : `Alle ${written} Fotos herunterladen (${size})`,
  photoAlt: (time) => `Foto, ${time}`,
  empty: 'Noch keine Fotos. Sie erscheinen hier automatisch.',
  noMore: 'Keine weiteren Fotos.',
  opens: (time) => `Die Fotos öffnen um ${time}`,
  comeBack: 'Diese Seite öffnet sich von selbst.',
  ended: { heading: 'Dieser Abend ist vorbei. Codes auf gedruckten Fotos funktionieren weiterhin.', advice: '' },
  off: {
    heading: 'Hier gibt es noch keine Fotos',
    advice: 'Bitte frag die Gastgeber, oder scanne den Code eines Fotos.',
  },
  unknown: {
    heading: 'Dieser Code funktioniert nicht',
    advice: 'Vielleicht wurde er durch einen neuen ersetzt. Bitte frag die Gastgeber danach.',
  },
  about: {
    noFaces: 'Hier wird keine Gesichtserkennung verwendet.',
    responsible: (name) => `${name} ist für diese Fotos verantwortlich.`,
    hosts: 'Die Gastgeber sind für diese Fotos verantwortlich.',
    report: 'Um ein Foto zu melden, öffne es.',
  },
}

export const eventEmails: typeof english.eventEmails = {
  tell: {
    open: 'Sag mir Bescheid, wenn sie öffnen',
    heading: 'Sag mir Bescheid, wenn die Fotos offen sind',
    send: 'Bescheid geben',
    consent: 'Wir verwenden deine Adresse für diese eine E-Mail, für nichts anderes.',
    sent: 'Wir sagen Bescheid, wenn sie öffnen',
    lead: 'Eine E-Mail geht an',
    after: 'Sie geht los, sobald die Fotos offen sind.',
  },
  everything: {
    open: 'Schick mir alles',
    heading: 'Alle Fotos per E-Mail',
    send: 'Schick mir den Link',
    consent: 'Wir verwenden deine Adresse, um diesen Link zu senden, für nichts anderes.',
    lead: 'Ein Link zu allen Fotos ist unterwegs an',
    after: 'Er funktioniert 72 Stunden. Am Computer öffnet sich die Datei mit einem Doppelklick.',
  },
}

export const scannedPhotos: typeof english.scannedPhotos = {
  photos: 'Deine Fotos',
  email: 'Alle an meine Adresse senden',
  send: 'Alle senden',
  consent: 'Wir verwenden deine Adresse, um diese Fotos zu senden, für nichts anderes.',
  onTheirWay: 'Deine Fotos sind unterwegs an',
  arrival: 'Meist sind sie in einer Minute da. Wenn viele Gäste gleichzeitig anfragen, dauert es etwas länger.',
  remember: '30 Tage merken',
  forget: 'Vergessen',
  script: {
    one: 'Du hast 1 Foto von heute Abend',
    many: 'Du hast {} Fotos von heute Abend',
    lead: 'Keine Gesichtserkennung. Diese Liste bleibt allein auf diesem Handy, 48 Stunden lang.',
    leadRemembered: 'Keine Gesichtserkennung. Diese Liste bleibt allein auf diesem Handy, 30 Tage lang.',
    photo: 'Foto {}',
    save: 'Speichern',
    loading: '{} von {} geladen',
    saveAll: 'Alle speichern',
    saveFirst: 'Die ersten {} speichern',
    saveNext: 'Die nächsten {} speichern',
    saved: 'Das waren alle.',
    again: 'Neu laden',
    notLoaded: 'Einige Fotos konnten nicht geladen werden. Prüfe deine Verbindung und versuche es noch einmal.',
    tapAgain: 'Die Fotos sind bereit. Tippe noch einmal.',
    notShared: 'Zusammen speichern geht hier nicht. Nutze Speichern unter jedem Foto.',
    byEmail: 'Fotos ohne Speichern kommen per E-Mail.',
    droppedOne: '1 Foto wird nicht mehr geteilt und steht nicht mehr in dieser Liste.',
    dropped: '{} Fotos werden nicht mehr geteilt und stehen nicht mehr in dieser Liste.',
    allDropped: 'Die Fotos, die du hier hattest, werden nicht mehr geteilt.',
    forgotten: 'Vergessen. Von dieser Liste ist nichts mehr auf diesem Handy.',
    newest: 'Die neuesten {} kommen in die E-Mail.',
  },
}

export const eventOrder: typeof english.eventOrder = {
  label: 'Reihenfolge der Fotos',
  orders: { added: 'Nach Upload-Zeit', taken: 'Nach Aufnahmezeit' },
  hours: 'Stunden mit Fotos',
  hour: (time, count, written) => (count === 1 ? `${time}, 1 Foto` : `${time}, ${written} Fotos`),
}

export const eventCodes: typeof english.eventCodes = {
  heading: 'Code für Gäste',
  lead: 'Stell ihn auf die Tische: Er führt jeden Gast zur Galerie dieser Veranstaltung.',
  off: 'Gäste sehen noch nichts: Schalte die Gästegalerie ein.',
  alt: 'QR-Code dieser Veranstaltung',
  open: 'Als Gast öffnen',
  print: 'Drucken',
  printLabel: (label) => `Code von ${label} drucken`,
  renew: 'Code ersetzen',
  confirmRenew: {
    title: 'Den Code dieser Veranstaltung ersetzen?',
    question:
      'Der Code, den du gedruckt oder geteilt hast, funktioniert sofort nicht mehr, seine Links auch nicht. Codes von Tischen und Fotos funktionieren weiter.',
    confirm: 'Code ersetzen',
    done: 'Die Veranstaltung hat einen neuen Code.',
  },
  tables: {
    heading: 'Tische',
    lead: 'Jeder Tisch kann einen eigenen Code haben. Er führt zur selben Galerie.',
    count: 'Anzahl der Tische',
    name: (number) => `Tisch ${number}`,
    add: 'Tische hinzufügen',
    label: 'Oder ein Name',
    addOne: 'Hinzufügen',
    revokeLabel: (label) => `Code von ${label} widerrufen`,
  },
  confirmRevoke: {
    title: (label) => `Den Code von ${label} widerrufen?`,
    question: 'Er funktioniert sofort nicht mehr, auch auf Papier. Du kannst jederzeit einen neuen hinzufügen.',
    confirm: 'Widerrufen',
    done: 'Der Code wurde widerrufen.',
  },
  errors: {
    load: 'Die Codes konnten nicht geladen werden.',
    change: 'Die Codes konnten nicht geändert werden. Bitte versuche es noch einmal.',
  },
}

export const eventPrint: typeof english.eventPrint = {
  lead: 'Ein Code für alle Fotos, für die Tische und den Eingang.',
  code: 'Code',
  own: 'Die ganze Veranstaltung',
  gone: 'Diese Veranstaltung gibt es nicht mehr.',
  failed: 'Der Code konnte nicht geladen werden.',
}

export const eventOnScreen: typeof english.eventOnScreen = {
  all: 'Alle Fotos',
  add: 'Fotos hinzufügen',
  alt: 'QR-Code dieser Veranstaltung',
}
