import { billingLimits } from '@keepsnap/contract/limits.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { productName } from '@keepsnap/contract/product.ts'
import type { pageDescriptions as english } from '../en/page-descriptions.ts'

const { max_photos: freePhotos } = plans.free.features
const { refundDays } = billingLimits

/** What search engines and link previews say about pages, and the system about the installed app. */
export const pageDescriptions: typeof english = {
  app: 'Foto’s delen met een QR-code bij elke foto.',
  /** Beside the QR code of the picture in link previews. */
  previewLine: 'Scan en probeer het',
  home: `${productName} toont elke foto die je maakt op een groot scherm, met een eigen QR-code. Gasten scannen de code en hebben de foto binnen enkele seconden: geen app, geen account.`,
  pricing: `Begin gratis met ${freePhotos} foto’s per maand. Pro geeft je een eigen logo, gebruiksstatistieken en hulp met voorrang; ${plans.pro_yearly.name} ook toegang tot de API. Geen opstartkosten, geld terug binnen ${refundDays} dagen.`,
  demoScreen:
    'Zie wat je gasten zien: de nieuwste foto op het grote scherm, met een QR-code die je meteen kunt scannen.',
  login: 'Log in om foto’s te uploaden en te tonen met hun QR-code.',
  register: `Maak een gratis account met ${freePhotos} foto’s per maand. Upload een foto, en gasten scannen de QR-code om hem te bewaren.`,
  forgotPassword: 'Wachtwoord vergeten? We mailen je een link om een nieuw wachtwoord in te stellen.',
  apiDocs: `Upload en bekijk foto’s vanuit je eigen programma: elke aanroep van de API van ${productName}, met voorbeelden in curl en TypeScript, limieten, fouten en webhooks.`,
  privacy: `Welke gegevens ${productName} bewaart over gebruikers en gasten, waarom, hoelang, en welke rechten je hebt.`,
  terms: `De voorwaarden van ${productName}: abonnementen, betaling, opzegging, je foto’s en onze verantwoordelijkheid.`,
}
