import type { readiness as english } from '../en/readiness.ts'

export const readiness: typeof english = {
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
