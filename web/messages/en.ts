import { about, cookies, home, legal, pageDescriptions } from './en/site.ts'
import { account, names, security, settings } from './en/settings.ts'
import { apiDocs, apiKeys, webhooks } from './en/integrations.ts'
import { branding, printKit } from './en/branding.ts'
import { checkout, demoCheckout, keptPhotos, subscription, usage } from './en/plans.ts'
import { claims, pricing } from './en/pricing.ts'
import { copying, frame, languages, live, noScript, notFound, notices, samples, states } from './en/frame.ts'
import { csv, emails, operatorEmails, storageEmails } from './en/emails.ts'
import { demo, latest } from './en/screen.ts'
import { forgot, reset, session, verify } from './en/accounts.ts'
import { gallery, upload } from './en/photos.ts'
import { guest, readiness, reports, requests } from './en/guests.ts'
import { insights } from './en/insights.ts'
import { operator, operatorIntegrity, operatorLookup, operatorSupport, operatorUsers } from './en/operators.ts'
import { refusals } from './en/refusals.ts'
import { support, supportEmails, supportQuestions } from './en/support.ts'

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
