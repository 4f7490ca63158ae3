import type { printKit as english } from '../en/print-kit.ts'

/** The page with table cards and posters. What is printed itself is in `../printed.ts`. */
export const printKit: typeof english = {
  title: 'Tischaufsteller und Plakat',
  heading: 'Tischaufsteller und Plakat',
  lead: 'Ein Foto mit seinem Code, für Tische und Türen.',
  formats: {
    label: 'Was möchtest du drucken?',
    card: 'Tischaufsteller',
    cardSize: 'A6, 105 × 148 mm',
    four: 'Vier Tischaufsteller auf einem Blatt',
    fourSize: 'A4, mit Schnittmarken',
    poster: 'Plakat',
    posterSize: 'A4, 210 × 297 mm',
  },
  line: {
    label: 'Dein Text',
    example: 'Lotte & Bram, 14. November',
    count: (used, most) => `${used} von ${most} Zeichen`,
    missing: (characters) =>
      `Dieses Gerät kann „${characters}“ nicht darstellen, deshalb fehlt das im Druck. Ändere deinen Text oder drucke von einem anderen Gerät.`,
  },
  languages: { first: 'Sprache der Gäste', second: 'Zweite Sprache', none: 'Keine' },
  logo: {
    label: 'Dein Logo',
    hint: 'Aus den Einstellungen, Aussehen.',
    none: 'Du hast noch kein Logo.',
    add: 'In den Einstellungen hinzufügen',
    failed: 'Dein Logo konnte nicht geladen werden und fehlt deshalb auf dem Druck.',
  },
  wifi: {
    label: 'WLAN-Code',
    hint: '„1. Verbinden, 2. Scannen“, für Räume ohne Handyempfang.',
    network: 'Name des Netzwerks',
    password: 'Passwort',
    security: 'Sicherheit',
    securities: { WPA: 'WPA, WPA2 oder WPA3', WEP: 'WEP (alt)', nopass: 'Kein Passwort' },
    hidden: 'Verstecktes Netzwerk',
    nameMissing:
      'Dieses Gerät kann nicht alle Zeichen dieses Namens darstellen. Deshalb steht er nicht unter dem Code. Der Code selbst funktioniert.',
    privacy:
      'Name und Passwort bleiben auf dieser Seite. Sie werden gedruckt, aber nie an uns gesendet, und sind weg, wenn du die Seite verlässt.',
    incomplete: 'Der WLAN-Code erscheint, sobald Name und Passwort vollständig sind.',
    errors: {
      networkMissing: 'Bitte gib den Namen des Netzwerks ein.',
      networkLong: 'Dieser Name ist zu lang für ein WLAN. Bitte prüfe ihn.',
      passwordMissing: 'Bitte gib das Passwort ein oder wähle „Kein Passwort“.',
      passwordWpa:
        'Ein WPA-Passwort hat 8 bis 63 Buchstaben, Ziffern und Zeichen ohne Umlaute und Akzente. Bitte prüfe es.',
      passwordWep:
        'Ein WEP-Passwort hat 5 oder 13 Zeichen, oder 10 oder 26 Ziffern und Buchstaben von A bis F. Bitte prüfe es.',
    },
  },
  actions: { print: 'Drucken', pdf: 'PDF', making: 'Das PDF wird erstellt', made: 'Das PDF ist fertig.' },
  hint: 'Drucke mit 100 %, ohne „An Seite anpassen“. Scanne den Code danach einmal selbst.',
  preview: {
    label: 'Vorschau',
    alt: (what, photo) => `${what} mit ${photo} und QR-Code`,
    one: (width, distance) => `Code ${width} mm breit: lässt sich aus ${distance} cm scannen`,
    two: (width, distance) => `Codes ${width} mm breit: lassen sich aus ${distance} cm scannen`,
    cut: 'Vier Tischaufsteller, an den Marken schneiden',
  },
  empty: 'Noch keine Fotos. Lade ein Foto hoch, um seinen Code zu drucken.',
  upload: 'Fotos hochladen',
  deleted: 'Dieses Foto gibt es nicht mehr.',
  processing: 'Dieses Foto wird verarbeitet. Sobald es fertig ist, kannst du es drucken.',
  failed: 'Dieses Foto konnte nicht verarbeitet werden und hat deshalb keinen Code.',
  hidden: 'Dieses Foto ist für Gäste ausgeblendet, sein Code öffnet nichts. Zeige es wieder, um es zu drucken.',
  gallery: 'Galerie öffnen',
  open: 'Foto öffnen',
  errors: {
    photos: 'Deine Fotos konnten nicht geladen werden. Bitte versuch es noch einmal.',
    photo: 'Dieses Foto konnte nicht geladen werden. Bitte versuch es noch einmal.',
    code: 'Der Code dieses Fotos konnte nicht geladen werden. Bitte versuch es noch einmal.',
    pdf: 'Das PDF konnte nicht erstellt werden. Versuch es noch einmal, oder wähle Drucken und „Als PDF speichern“.',
  },
}
