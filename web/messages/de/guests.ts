import type * as english from '../en/guests.ts'

export const guest: typeof english.guest = {
  titles: {
    request: 'Hol dir dein Foto',
    photo: 'Dein Foto',
    sample: 'Beispielbild',
    reported: 'Foto melden',
    gone: 'Foto nicht verfügbar',
    expired: 'Link abgelaufen',
    unsubscribe: 'E-Mails mit Fotos',
    unknown: 'Link ungültig',
    unavailable: 'Gerade nicht verfügbar',
  },
  descriptions: {
    request: 'Gib deine E-Mail-Adresse ein, und wir schicken dir das Foto.',
    photo: 'Dein Foto liegt für dich bereit.',
    sample: 'Ein Beispielbild: So bekommen Gäste ihre Fotos.',
    other: 'Code scannen, Foto bekommen.',
  },
  yourPhoto: 'Dein Foto',
  madeWith: 'Gemacht mit',
  request: {
    heading: 'Wohin dürfen wir dein Foto schicken?',
    label: 'Deine E-Mail-Adresse',
    placeholder: 'name@example.com',
    send: 'Foto senden',
    sending: 'Wird gesendet',
    cancel: 'Abbrechen',
    consent: 'Wir verwenden deine Adresse, um dieses Foto zu senden, und für nichts anderes.',
    privacy: 'Datenschutz',
    failed: 'Das hat leider nicht geklappt. Bitte versuch es später noch einmal.',
    offline: 'Du bist anscheinend offline. Prüfe deine Verbindung und versuch es noch einmal.',
    problems: {
      missing: 'Bitte gib deine E-Mail-Adresse ein',
      at: 'Gib eine vollständige Adresse ein, zum Beispiel name@example.com',
      ending: 'Der Adresse fehlt die Endung, zum Beispiel .de',
      several: 'Bitte gib nur eine Adresse ein',
      space: 'Die Adresse enthält ein Leerzeichen',
      characters: 'Die Adresse enthält unzulässige Zeichen',
      long: 'Die Adresse ist zu lang',
      form: 'Das sieht nicht nach einer E-Mail-Adresse aus',
    },
    tellMe: 'Sag mir auch Bescheid, wenn die Galerie offen ist',
    honeypot: 'Bitte leer lassen',
    emailOff: {
      heading: 'Hier können noch keine Fotos verschickt werden',
      lead: 'E-Mail ist hier nicht eingerichtet. Frag die Person, von der du den Code hast, wie du anders an das Foto kommst.',
    },
  },
  sent: {
    heading: 'Anfrage gesendet!',
    toast: 'Deine Anfrage ist angekommen! Bitte sieh in deinem Posteingang nach.',
    onItsWay: 'Dein Foto ist unterwegs an',
    arrival: 'Meist ist es in einer Minute da. Wenn viele Gäste gleichzeitig anfragen, dauert es etwas länger.',
    afterProcessing: 'Wir schicken es, sobald das Foto fertig ist.',
    spam: 'Nichts angekommen? Sieh im Spam-Ordner nach und prüfe die Adresse oben.',
    another: 'An eine andere Adresse senden',
  },
  wait: {
    processing: 'Noch in Arbeit.',
    automatic: 'Es erscheint hier von selbst.',
    ready: 'Dein Foto ist fertig.',
    checkAgain: 'Jetzt nachsehen',
  },
  save: {
    download: 'Herunterladen',
    save: 'Speichern',
    fetching: 'Dein Foto wird geholt',
    tapAgain: 'Dein Foto ist bereit. Tippe noch einmal auf „Speichern“.',
    nothingHappened: 'Nichts passiert? Halte den Finger auf das Foto, oder öffne diese Seite in deinem Browser.',
    downloadFile: 'Datei herunterladen',
    share: 'Teilen',
    expires: 'Link gültig bis',
  },
  sample: {
    note: 'Ein Beispielbild. Bei einer Feier speichern Gäste hier ihr eigenes Foto.',
    demo: 'Zum großen Bildschirm',
  },
  gone: {
    photo: {
      heading: 'Wir können dieses Foto nicht zeigen',
      reason: 'Vielleicht gibt es das Foto nicht mehr, oder es ist privat.',
      advice: 'Wenn du meinst, dass du es haben solltest, frag die Person, die es gemacht hat.',
    },
    expired: {
      heading: 'Dieser Link ist abgelaufen',
      advice: (hours: number) =>
        `Links zu Fotos gelten ${hours} Stunden. Scanne den Code noch einmal, dann bekommst du einen neuen.`,
    },
    unsubscribe: {
      heading: 'Dieser Link ist ungültig',
      advice:
        'Vielleicht fehlt ein Teil davon. Öffne ihn noch einmal aus der E-Mail, oder kopiere den ganzen Link in deinen Browser.',
    },
    unavailable: {
      heading: 'Einen Moment bitte',
      advice: 'Diese Seite kann gerade nicht gezeigt werden. Nichts ist verloren: Sie lädt von selbst neu.',
      sendAgain: 'Das konnte gerade nicht gesendet werden. Bitte geh zurück und sende es in einer Minute noch einmal.',
    },
    home: 'Zur Startseite',
  },
  unsubscribe: {
    ask: {
      heading: 'Keine Fotos mehr bekommen?',
      lead: (host: string) =>
        `Jemand hat deine E-Mail-Adresse auf einer Fotoseite von ${host} eingegeben. ` +
        `Mit einem Klick auf den Knopf sorgst du dafür, dass ${host} keine Fotos mehr an diese Adresse schickt.`,
      note: 'Du kannst das hier rückgängig machen. E-Mails zu deinem eigenen Konto sind davon nicht betroffen.',
      button: 'Keine Fotos mehr schicken',
    },
    stopped: {
      heading: 'Du bekommst keine Fotos mehr',
      lead: (host: string) => `${host} schickt keine Fotos mehr an deine Adresse, auch wenn jemand sie anfordert.`,
      note: 'Wenn du es dir anders überlegst, öffne den Link in der E-Mail noch einmal.',
      button: 'Fotos wieder erlauben',
    },
    allowed: {
      heading: 'Du bekommst wieder Fotos',
      lead: (host: string) =>
        `Wenn jemand deine Adresse auf einer Fotoseite von ${host} eingibt, schicken wir das Foto dorthin.`,
      note: 'Mit dem Link in jeder dieser E-Mails kannst du sie wieder abbestellen.',
    },
  },
  report: {
    open: 'Foto melden',
    heading: 'Was stimmt mit diesem Foto nicht?',
    reasons: {
      me: 'Ich bin darauf zu sehen und möchte das nicht',
      child: 'Es zeigt ein Kind, das nicht gezeigt werden soll',
      hurtful: 'Es ist verletzend oder herabwürdigend',
      illegal: 'Es könnte verboten sein',
      other: 'Etwas anderes',
    },
    note: 'Möchtest du etwas dazu sagen? (freiwillig)',
    send: 'Meldung senden',
    sending: 'Wird gesendet',
    choose: 'Bitte wähle einen Grund.',
    failed: 'Die Meldung konnte nicht gesendet werden. Bitte versuch es noch einmal.',
    thanks: 'Danke',
    thanksLead:
      'Deine Meldung ist bei der Person angekommen, die für dieses Foto verantwortlich ist. Sie erfährt nicht, von wem die Meldung kommt.',
    back: 'Zurück zum Foto',
  },
}

export const readiness: typeof english.readiness = {
  name: 'Bereit für heute Abend?',
  lead: 'Prüfe alles, bevor der erste Gast kommt.',
  start: 'Jetzt prüfen',
  again: 'Erneut prüfen',
  results: 'Was geprüft wurde',
  states: { ok: 'In Ordnung', attention: 'Bitte ansehen', pending: 'Wartet', idle: 'Noch nicht geprüft' },
  email: {
    title: 'E-Mails',
    idle: (address: string) => `Beim Prüfen geht eine Test-E-Mail an ${address}.`,
    sending: 'Die Test-E-Mail ist unterwegs zum Mailserver.',
    delayed: (reason: string) => `Die Test-E-Mail wartet. ${reason}`,
    sent: (time: string, address: string) =>
      `Der Mailserver hat die Test-E-Mail um ${time} Uhr angenommen. Sieh im Postfach von ${address} nach.`,
    outbox: (time: string) =>
      `Um ${time} Uhr als Datei im Ausgangsordner des Servers abgelegt: Es ist kein Mailserver eingerichtet, deshalb bekommen Gäste keine E-Mails.`,
    failed: (reason: string) => `Die Test-E-Mail wurde nicht angenommen. ${reason}`,
    failedUnknown: 'Bitte den Betreiber dieser Website, den Mailserver zu prüfen.',
    notSent: 'Die Test-E-Mail konnte nicht gesendet werden. Bitte versuch es noch einmal.',
    unknown: 'Wir konnten nicht herausfinden, was aus der Test-E-Mail geworden ist.',
  },
  code: {
    title: 'Scannen',
    idle: 'Beim Prüfen erscheint ein Code. Scanne ihn mit einem Handy, wie deine Gäste es haben, und in dem Netz, das sie benutzen werden.',
    scan: 'Scanne diesen Code mit einem Handy.',
    alt: 'Testcode',
    opened: (time: string) => `Um ${time} Uhr hat ein Handy den Code geöffnet. Gäste erreichen diese Website.`,
    expired: 'Der Code ist abgelaufen. Prüfe erneut, dann bekommst du einen neuen.',
    hint: 'Beim Scannen passiert nichts? Dann erreichen Handys diese Website aus ihrem Netz nicht.',
    failed: 'Der Code konnte nicht erstellt werden. Bitte versuch es noch einmal.',
  },
  photos: {
    title: 'Fotos',
    ok: (left: string, until: string) => `Noch ${left === '1' ? '1 Foto' : `${left} Fotos`} bis zum ${until}.`,
    few: (left: string, most: string, until: string) =>
      `Nur noch ${left} von ${most} Fotos bis zum ${until}. Ein größerer Tarif bietet mehr.`,
    none: (until: string) => `Keine Fotos mehr bis zum ${until}. Neue warten in der Upload-Liste.`,
  },
  storage: {
    title: 'Speicher',
    ok: (left: string) => `Noch ${left} frei.`,
    few: (left: string, most: string) =>
      `Nur noch ${left} von ${most} frei. Lösche Fotos, oder nimm einen größeren Tarif.`,
    none: 'Voll. Neue Fotos warten in der Upload-Liste, bis du andere löschst.',
  },
  plan: {
    title: 'Tarif',
    free: (name: string) => `${name}, unbefristet.`,
    renews: (name: string, date: string) => `${name}, verlängert sich am ${date}.`,
    ends: (name: string, date: string) => `${name}, endet am ${date}.`,
    endsSoon: (name: string, date: string, next: string) => `${name} endet am ${date}. Danach hast du ${next}.`,
    pastDue: (name: string, date: string) => `Eine Zahlung fehlt. ${name} läuft noch bis zum ${date}.`,
  },
  connection: {
    title: 'Live-Verbindung',
    ok: (time: string) => `Verbunden, zuletzt um ${time} Uhr. Neue Fotos erscheinen sofort.`,
    connecting: 'Verbindung zum Server wird aufgebaut.',
    lost: 'Nicht verbunden. Neue Fotos erscheinen nicht sofort, aber innerhalb einer Minute.',
  },
  planUnknown: 'Dein Tarif kann gerade nicht abgerufen werden.',
  actions: {
    plans: 'Tarife ansehen',
    gallery: 'Galerie öffnen',
    subscription: 'Tarif ansehen',
  },
}

export const reports: typeof english.reports = {
  heading: 'Gemeldete Fotos',
  lead: 'Ein ausgeblendetes Foto ist für Gäste sofort weg: Codes, Seiten und Links aus E-Mails funktionieren nicht mehr. Du selbst siehst es weiterhin und kannst es wieder zeigen.',
  reasons: {
    me: 'Ich bin darauf zu sehen und möchte das nicht',
    child: 'Es zeigt ein Kind',
    hurtful: 'Es ist verletzend',
    illegal: 'Es könnte verboten sein',
    other: 'Ein anderer Grund',
  },
  badges: {
    open: 'Zu prüfen',
    hide: 'Für Gäste ausgeblendet',
    keep: 'Sichtbar',
    operator: 'Vom Betreiber ausgeblendet',
  },
  inGallery: 'in der Galerie',
  label: (name: string) => `Meldungen zu ${name}`,
  more: (count: number) => (count === 1 ? '1 weitere Meldung' : `${count} weitere Meldungen`),
  hide: 'Für Gäste ausblenden',
  keep: 'Sichtbar lassen',
  show: 'Wieder zeigen',
  mistake: 'Ist das ein Irrtum?',
  support: 'Support kontaktieren',
  undo: 'Rückgängig',
  done: {
    hide: 'Ausgeblendet. Gäste können es nicht mehr öffnen.',
    keep: 'Gäste können es öffnen. Die Meldungen sind erledigt.',
    undo: 'Gäste können es wieder öffnen. Du musst es noch prüfen.',
    staysHidden: 'Es bleibt für Gäste ausgeblendet.',
  },
  notice: {
    label: 'Gemeldete Fotos',
    heading: 'Ein Gast hat dieses Foto gemeldet',
    more: (photos: number) => (photos === 1 ? 'und 1 weiteres Foto' : `und ${photos} weitere Fotos`),
    review: 'Prüfen',
    dismiss: 'Später',
  },
  sign: (photos: number) => (photos === 1 ? '1 Foto gemeldet' : `${photos} Fotos gemeldet`),
  confirmShow: {
    title: 'Dieses Foto wieder zeigen?',
    question: 'Gäste können es dann wieder über Codes, Seiten und E-Mails öffnen.',
    confirm: 'Wieder zeigen',
  },
  reviewed: (count: number) => (count === 1 ? '1 Foto geprüft' : `${count} Fotos geprüft`),
  errors: {
    decide: 'Deine Entscheidung konnte nicht gespeichert werden. Bitte versuch es noch einmal.',
    undo: 'Das konnte nicht rückgängig gemacht werden. Bitte versuch es noch einmal.',
  },
}

export const requests: typeof english.requests = {
  title: 'Fotoanfragen',
  summary: {
    all: (count: number, written: string) => (count === 1 ? '1 Anfrage' : `${written} Anfragen`),
    sent: (written: string) => `${written} gesendet`,
    failed: (written: string) => `${written} fehlgeschlagen`,
    pending: (written: string) => `${written} ausstehend`,
    list: (parts: string[]) => parts.join(', '),
  },
  refresh: 'Neu laden',
  export: 'CSV exportieren',
  columns: { requester: 'Von', photo: 'Foto', requested: 'Angefragt', state: 'Status', action: 'Aktion' },
  states: { queued: 'In Arbeit', sent: 'Gesendet', failed: 'Fehlgeschlagen', waiting: 'Wartet' },
  nextAttempt: (when: string) => `Nächster Versuch: ${when}`,
  scheduledFor: (when: string) => `Geplant für ${when}`,
  inGallery: 'in der Galerie',
  view: 'Foto ansehen',
  resend: 'Erneut senden',
  resendTo: (address: string) => `Erneut an ${address} senden`,
  more: 'Mehr anzeigen',
  search: 'Nach E-Mail-Adresse suchen',
  filter: 'Status',
  allStates: 'Alle Status',
  found: (count: number, written: string) => (count === 1 ? '1 Anfrage gefunden' : `${written} Anfragen gefunden`),
  noMatch: 'Keine Anfragen gefunden.',
  showAll: 'Alle Anfragen anzeigen',
  exportsAll: 'Die CSV-Datei enthält alle Anfragen, nicht nur die gefundenen.',
  removal: (day: string, count: number, written: string) =>
    count === 1
      ? `Am ${day} wird 1 Adresse entfernt. Exportiere sie vorher, wenn du sie brauchst.`
      : `Am ${day} werden ${written} Adressen entfernt. Exportiere sie vorher, wenn du sie brauchst.`,
  loadingMore: 'Weitere Anfragen werden geladen',
  resendAll: 'Alle fehlgeschlagenen erneut senden',
  resendFailed: {
    title: 'Alle fehlgeschlagenen E-Mails erneut senden?',
    question: (count: number, written: string) =>
      count === 1
        ? '1 E-Mail ist fehlgeschlagen und wird erneut gesendet.'
        : `${written} E-Mails sind fehlgeschlagen und werden erneut gesendet.`,
    details:
      'Ausgelassen werden Gäste, die sich abgemeldet haben, und Fotos, die verborgen sind oder nicht verarbeitet werden konnten. Die Grenzen für E-Mails gelten: Manche werden später gesendet.',
    confirm: 'Erneut senden',
    queued: (count: number, written: string) =>
      count === 1 ? '1 E-Mail wird erneut gesendet.' : `${written} E-Mails werden erneut gesendet.`,
    waiting: (count: number, written: string) =>
      count === 1
        ? '1 E-Mail wird wegen einer Grenze später gesendet.'
        : `${written} E-Mails werden wegen einer Grenze später gesendet.`,
    refused: (count: number, written: string) =>
      count === 1
        ? '1 E-Mail kann nicht erneut gesendet werden.'
        : `${written} E-Mails können nicht erneut gesendet werden.`,
    left: (count: number, written: string) =>
      count === 1
        ? '1 fehlgeschlagene E-Mail bleibt übrig. Sende sie als Nächstes.'
        : `${written} fehlgeschlagene E-Mails bleiben übrig. Sende sie als Nächstes.`,
    none: 'Es gibt keine fehlgeschlagenen E-Mails mehr.',
  },
  empty: 'Noch keine Anfragen. Sie erscheinen hier, sobald ein Gast ein Foto anfordert.',
  askForEmail: 'Nach E-Mail-Adresse fragen',
  filename: (day: string) => `fotoanfragen-${day}.csv`,
  errors: {
    load: 'Die Fotoanfragen konnten nicht geladen werden. Bitte versuch es noch einmal.',
    more: 'Weitere Fotoanfragen konnten nicht geladen werden. Bitte versuch es noch einmal.',
    resend: 'Die E-Mail konnte nicht erneut gesendet werden. Bitte versuch es noch einmal.',
    resendAll:
      'Die E-Mails konnten nicht erneut gesendet werden. Einige sind vielleicht schon unterwegs. Bitte versuch es noch einmal.',
    export: 'Die Fotoanfragen konnten nicht exportiert werden. Bitte versuch es noch einmal.',
  },
}
