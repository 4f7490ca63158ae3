import type { PrintedTexts } from '../printed-texts.ts'

/** What is printed on table cards and posters, in every build of the app: see `../printed.ts`. */
export const printed: PrintedTexts = {
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
  join: 'Rejoignez le Wi-Fi',
  scan: 'Scannez',
}
