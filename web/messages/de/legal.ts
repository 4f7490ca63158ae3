import type { legal as english } from '../en/legal.ts'

/** Rund um die Texte der Datenschutzerklärung und der AGB, die in web/features/legal stehen. */
export const legal: typeof english = {
  contents: 'Auf dieser Seite',
  short: 'Kurz gesagt',
  print: 'Drucken',
  current: (date) => `In Kraft seit ${date}`,
  earlier: (from, until) => `In Kraft von ${from} bis ${until}`,
  announced: (date) => `In Kraft ab ${date}`,
  notes: {
    sample: 'Mustertext, keine Rechtsberatung',
    sampleWhy: 'Das Unternehmen hinter dieser Website hat seinen Namen und seine Adresse noch nicht eingetragen.',
    earlier:
      'Dies ist eine frühere Fassung, die nicht mehr gilt. Namen, Adressen und Dienste darin sind die der heutigen Einstellungen dieser Website.',
    announced: 'Diese Fassung gilt noch nicht.',
    unknown: 'Zu diesem Datum gibt es keine Fassung. Dies ist die geltende.',
    next: (date) => `Ab ${date} gilt eine neue Fassung.`,
    toCurrent: 'Die geltende Fassung zeigen',
    toNext: 'Die neue Fassung zeigen',
  },
  versions: 'Fassungen',
  first: 'Erste Fassung',
  loading: 'Der Text wird geladen',
  failed: 'Der Text konnte nicht geladen werden. Prüfe deine Verbindung und versuch es noch einmal.',
}
