import * as accessibility from './en/accessibility.ts'
import * as accounts from './en/accounts.ts'
import * as branding from './en/branding.ts'
import * as business from './en/business.ts'
import * as emails from './en/emails.ts'
import * as eventReview from './en/event-review.ts'
import * as events from './en/events.ts'
import * as eventPhotos from './en/event-photos.ts'
import * as eventGuests from './en/event-guests.ts'
import * as eventArchive from './en/event-archive.ts'
import * as eventHelpers from './en/event-helpers.ts'
import * as frame from './en/frame.ts'
import * as guests from './en/guests.ts'
import * as insights from './en/insights.ts'
import * as integrations from './en/integrations.ts'
import * as operators from './en/operators.ts'
import * as photos from './en/photos.ts'
import * as plans from './en/plans.ts'
import * as pricing from './en/pricing.ts'
import * as refusals from './en/refusals.ts'
import * as screen from './en/screen.ts'
import * as settings from './en/settings.ts'
import * as site from './en/site.ts'
import * as support from './en/support.ts'
import * as withdrawalEmails from './en/withdrawal-emails.ts'
import * as withdrawals from './en/withdrawals.ts'

/**
 * Every sentence of the app in English, for tests and as the type of other languages. Components import only the part
 * they show (`useText({ home })`), so that a page loads only its own sentences.
 */
export const en = {
  ...accessibility,
  ...accounts,
  ...branding,
  ...business,
  ...emails,
  ...eventReview,
  ...events,
  ...eventPhotos,
  ...eventGuests,
  ...eventArchive,
  ...eventHelpers,
  ...frame,
  ...guests,
  ...insights,
  ...integrations,
  ...operators,
  ...photos,
  ...plans,
  ...pricing,
  ...refusals,
  ...screen,
  ...settings,
  ...site,
  ...support,
  ...withdrawalEmails,
  ...withdrawals,
}
/** What a translation must satisfy. */
export type Catalogue = typeof en
