import type { PrintedTexts } from '../printed-texts.ts'

/** What is printed on table cards and posters, in every build of the app: see `../printed.ts`. */
export const printed: PrintedTexts = {
  language: 'de',
  keep: 'Scannen und Foto behalten',
  get: 'Scannen und Foto bekommen',
  point: 'Kamera auf den Code richten.',
  noApp: 'Ohne App, ohne Konto.',
  byEmail: 'Es kommt per E-Mail zu dir.',
  steps: {
    keep: ['Kamera öffnen', 'Auf den Code richten', 'Foto behalten'],
    get: ['Kamera öffnen', 'Auf den Code richten', 'E-Mail-Adresse eingeben'],
  },
  join: 'Mit dem WLAN verbinden',
  scan: 'Scannen',
}
