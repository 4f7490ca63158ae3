import type { requests as english } from '../en/requests.ts'

export const requests: typeof english = {
  title: 'Fotoanfragen',
  heading: 'Fotoanfragen',
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
