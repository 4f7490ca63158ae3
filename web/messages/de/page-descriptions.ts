import { billingLimits } from '@keepsnap/contract/limits.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { productName } from '@keepsnap/contract/product.ts'
import type { pageDescriptions as english } from '../en/page-descriptions.ts'

const { max_photos: freePhotos } = plans.free.features
const { refundDays } = billingLimits

/** What search engines and link previews say about pages, and the system about the installed app. */
export const pageDescriptions: typeof english = {
  app: 'Fotos teilen, mit einem QR-Code zu jedem Bild.',
  /** Beside the QR code of the picture in link previews. */
  previewLine: 'Scannen und ausprobieren',
  home: `${productName} zeigt jedes Foto, das du machst, mit eigenem QR-Code auf dem großen Bildschirm. Gäste scannen ihn und haben das Foto in Sekunden: ohne App, ohne Konto.`,
  pricing: `Kostenlos starten mit ${freePhotos} Fotos im Monat. Pro bringt dein Logo, Statistiken und bevorzugten Support, ${plans.pro_yearly.name} auch den API-Zugang. Keine Einrichtungsgebühr, Geld zurück innerhalb von ${refundDays} Tagen.`,
  demoScreen:
    'Sieh, was deine Gäste sehen: das neueste Foto auf dem großen Bildschirm, mit einem QR-Code, den du gleich scannen kannst.',
  login: 'Melde dich an, um Fotos hochzuladen und mit ihrem QR-Code zu zeigen.',
  register: `Erstelle ein kostenloses Konto mit ${freePhotos} Fotos im Monat. Lade ein Foto hoch, und Gäste scannen den QR-Code, um es zu behalten.`,
  forgotPassword: 'Passwort vergessen? Wir schicken dir einen Link, mit dem du ein neues festlegst.',
  apiDocs: `Fotos aus deinem eigenen Programm hochladen und auflisten: jeder Aufruf der API von ${productName}, mit Beispielen in curl und TypeScript, Limits, Fehlern und Webhooks.`,
  privacy: `Welche Daten ${productName} über Nutzer und Gäste speichert, warum, wie lange, und welche Rechte du hast.`,
  terms: `Die Bedingungen für ${productName}: Tarife, Zahlung, Kündigung, deine Fotos und unsere Verantwortung.`,
}
