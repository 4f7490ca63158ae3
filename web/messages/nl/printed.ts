import type { PrintedTexts } from '../printed-texts.ts'

/** What is printed on table cards and posters, in every build of the app: see `../printed.ts`. */
export const printed: PrintedTexts = {
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
  join: 'Verbind met de wifi',
  scan: 'Scan',
}
