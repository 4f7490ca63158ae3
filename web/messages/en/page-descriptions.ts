import { billingLimits } from '@keepsnap/contract/limits.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import { productName } from '@keepsnap/contract/product.ts'

const { max_photos: freePhotos } = plans.free.features
const { refundDays } = billingLimits

/** What search engines and link previews say about pages, and the system about the installed app. */
export const pageDescriptions = {
  app: 'Photo sharing with a QR code for every picture.',
  /** Beside the QR code of the picture in link previews. */
  previewLine: 'Scan to try it',
  home: `${productName} shows every photo you take on a big screen with its own QR code. Guests scan it and have the photo in seconds: no app, no account.`,
  pricing: `Start free with ${freePhotos} photos a month. Pro adds your own logo, usage analytics and priority support; ${plans.pro_yearly.name} adds API access. No setup fee, money back within ${refundDays} days.`,
  demoScreen: 'See what your guests see: the newest photo on the big screen, with a QR code that you can scan now.',
  login: 'Sign in to upload photos and show them with their QR codes.',
  register: `Create a free account with ${freePhotos} photos a month. Upload a photo, and guests scan its QR code to keep it.`,
  forgotPassword: 'Forgot your password? We email you a link to set a new one.',
  apiDocs: `Upload and list photos from your own program: every call of the ${productName} API, with examples in curl and TypeScript, limits, errors and webhooks.`,
  privacy: `Which data ${productName} stores about users and guests, why, for how long, and which rights you have.`,
  terms: `The conditions for using ${productName}: plans, payment, cancellation, your photos and our responsibilities.`,
}
