import { about } from './en/about.ts'
import { account } from './en/account.ts'
import { apiDocs } from './en/api-docs.ts'
import { apiKeys } from './en/api-keys.ts'
import { branding } from './en/branding.ts'
import { checkout } from './en/checkout.ts'
import { claims } from './en/claims.ts'
import { cookies } from './en/cookies.ts'
import { copying } from './en/copying.ts'
import { csv } from './en/csv.ts'
import { demo } from './en/demo.ts'
import { demoCheckout } from './en/demo-checkout.ts'
import { emails } from './en/emails.ts'
import { forgot } from './en/forgot.ts'
import { frame } from './en/frame.ts'
import { gallery } from './en/gallery.ts'
import { guest } from './en/guest.ts'
import { home } from './en/home.ts'
import { insights } from './en/insights.ts'
import { keptPhotos } from './en/kept-photos.ts'
import { languages } from './en/languages.ts'
import { latest } from './en/latest.ts'
import { legal } from './en/legal.ts'
import { live } from './en/live.ts'
import { notFound } from './en/not-found.ts'
import { noScript } from './en/no-script.ts'
import { notices } from './en/notices.ts'
import { operator } from './en/operator.ts'
import { operatorEmails } from './en/operator-emails.ts'
import { operatorIntegrity } from './en/operator-integrity.ts'
import { operatorLookup } from './en/operator-lookup.ts'
import { operatorSupport } from './en/operator-support.ts'
import { operatorUsers } from './en/operator-users.ts'
import { pageDescriptions } from './en/page-descriptions.ts'
import { pricing } from './en/pricing.ts'
import { printKit } from './en/print-kit.ts'
import { names } from './en/names.ts'
import { readiness } from './en/readiness.ts'
import { refusals } from './en/refusals.ts'
import { reports } from './en/reports.ts'
import { requests } from './en/requests.ts'
import { reset } from './en/reset.ts'
import { samples } from './en/samples.ts'
import { security } from './en/security.ts'
import { session } from './en/session.ts'
import { settings } from './en/settings.ts'
import { states } from './en/states.ts'
import { subscription } from './en/subscription.ts'
import { storageEmails } from './en/storage-emails.ts'
import { support } from './en/support.ts'
import { supportEmails } from './en/support-emails.ts'
import { supportQuestions } from './en/support-questions.ts'
import { upload } from './en/upload.ts'
import { usage } from './en/usage.ts'
import { verify } from './en/verify.ts'
import { webhooks } from './en/webhooks.ts'

/**
 * Every sentence of the app in English, for tests and as the type of other languages. Components import only the part
 * they show (`useText({ home })`), so that a page loads only its own sentences.
 */
export const en = {
  about,
  account,
  apiDocs,
  apiKeys,
  branding,
  checkout,
  claims,
  cookies,
  copying,
  csv,
  demo,
  demoCheckout,
  emails,
  forgot,
  frame,
  gallery,
  guest,
  home,
  insights,
  keptPhotos,
  languages,
  latest,
  legal,
  live,
  notFound,
  noScript,
  notices,
  operator,
  operatorEmails,
  operatorIntegrity,
  operatorLookup,
  operatorSupport,
  operatorUsers,
  pageDescriptions,
  pricing,
  printKit,
  names,
  readiness,
  refusals,
  reports,
  requests,
  reset,
  samples,
  security,
  session,
  settings,
  states,
  subscription,
  storageEmails,
  support,
  supportEmails,
  supportQuestions,
  upload,
  usage,
  verify,
  webhooks,
}
/** What a translation must satisfy. */
export type Catalogue = typeof en
