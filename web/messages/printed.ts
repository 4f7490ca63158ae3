import { defaultLanguage, isLanguage, type Language } from '@keepsnap/contract/languages.ts'

/** What is printed on table cards and posters in one language. */
export interface PrintedTexts {
  language: Language
  /** The headline over a code that gives the photo at once. */
  keep: string
  /** The headline over a code that leads to the request page. */
  get: string
  /** How to scan, for guests who never have. */
  point: string
  noApp: string
  byEmail: string
  /** On posters: three steps. */
  steps: { keep: readonly string[]; get: readonly string[] }
  /** Of a code that leads to the gallery of an event: the headline, and the last step. */
  gallery: { scan: string; see: string }
  /** Over the code of the Wi-Fi network, and over that of the photo beside it. */
  join: string
  scan: string
}

/**
 * In all four languages in every build of the app: guests may speak another language than the owner, so that a card can be
 * printed in any of them, or in two.
 */
export const printed: Record<Language, PrintedTexts> = {
  en: {
    language: 'en',
    keep: 'Scan to keep this photo',
    get: 'Scan to get this photo',
    point: 'Point your camera here.',
    noApp: 'No app, no account.',
    byEmail: 'We’ll email it to you.',
    steps: {
      keep: ['Open your camera', 'Point it at the code', 'Keep your photo'],
      get: ['Open your camera', 'Point it at the code', 'Enter your email'],
    },
    gallery: { scan: 'Scan to see all photos', see: 'See all photos' },
    join: 'Join the Wi-Fi',
    scan: 'Scan',
  },
  nl: {
    language: 'nl',
    keep: 'Scan en bewaar deze foto',
    get: 'Scan en ontvang deze foto',
    point: 'Richt je camera op de code.',
    noApp: 'Geen app, geen account.',
    byEmail: 'We sturen hem per e-mail.',
    steps: {
      keep: ['Open je camera', 'Richt hem op de code', 'Bewaar je foto'],
      get: ['Open je camera', 'Richt hem op de code', 'Vul je e-mailadres in'],
    },
    gallery: { scan: 'Scan en bekijk alle foto’s', see: 'Bekijk alle foto’s' },
    join: 'Verbind met de wifi',
    scan: 'Scan',
  },
  fr: {
    language: 'fr',
    keep: 'Scannez pour garder cette photo',
    get: 'Scannez pour recevoir cette photo',
    point: 'Visez ici avec votre téléphone.',
    noApp: 'Sans appli ni compte.',
    byEmail: 'Vous la recevrez par e-mail.',
    steps: {
      keep: ['Ouvrez l’appareil photo', 'Visez le code', 'Gardez votre photo'],
      get: ['Ouvrez l’appareil photo', 'Visez le code', 'Indiquez votre e-mail'],
    },
    gallery: { scan: 'Scannez pour voir toutes les photos', see: 'Regardez toutes les photos' },
    join: 'Rejoignez le Wi-Fi',
    scan: 'Scannez',
  },
  de: {
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
    gallery: { scan: 'Scannen und alle Fotos sehen', see: 'Alle Fotos ansehen' },
    join: 'Mit dem WLAN verbinden',
    scan: 'Scannen',
  },
}

/** The language of a page's `lang` attribute, for the texts of a new card. */
export const printedLanguageOf = (tag: string): Language => (isLanguage(tag) ? tag : defaultLanguage)
