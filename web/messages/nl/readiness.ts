import type { readiness as english } from '../en/readiness.ts'

/** The section "Ready for tonight?" in Settings. */
export const readiness: typeof english = {
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
