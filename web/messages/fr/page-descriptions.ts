import { billingLimits } from '@keepsnap/contract/limits.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { productName } from '@keepsnap/contract/product.ts'
import type { pageDescriptions as english } from '../en/page-descriptions.ts'

const { max_photos: freePhotos } = plans.free.features
const { refundDays } = billingLimits

/** What search engines and link previews say about pages, and the system about the installed app. */
export const pageDescriptions: typeof english = {
  app: 'Le partage de photos avec un code QR pour chaque image.',
  /** Beside the QR code of the picture in link previews. */
  previewLine: 'Scannez pour essayer',
  home: `${productName} affiche chaque photo que vous prenez sur grand écran, avec son propre code QR. Vos invités le scannent et reçoivent la photo en quelques secondes : sans appli, sans compte.`,
  pricing: `Commencez gratuitement avec ${freePhotos} photos par mois. Pro ajoute votre logo, des statistiques et une assistance prioritaire ; ${plans.pro_yearly.name} ajoute l’accès à l’API. Sans frais de mise en service, remboursé sous ${refundDays} jours.`,
  demoScreen:
    'Voyez ce que voient vos invités : la dernière photo sur grand écran, avec un code QR à scanner tout de suite.',
  login: 'Connectez-vous pour envoyer des photos et les afficher avec leur code QR.',
  register: `Créez un compte gratuit avec ${freePhotos} photos par mois. Envoyez une photo : vos invités scannent son code QR pour la garder.`,
  forgotPassword: 'Mot de passe oublié ? Nous vous envoyons un lien pour en choisir un nouveau.',
  apiDocs: `Envoyez et listez des photos depuis votre propre programme : chaque appel de l’API de ${productName}, avec des exemples en curl et en TypeScript, les limites, les erreurs et les webhooks.`,
  privacy: `Quelles données ${productName} conserve sur les utilisateurs et les invités, pourquoi, combien de temps, et quels sont vos droits.`,
  terms: `Les conditions d’utilisation de ${productName} : formules, paiement, résiliation, vos photos et nos responsabilités.`,
}
