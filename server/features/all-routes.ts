import type { ApiDependencies } from '../dependencies.ts'
import type { Serve } from '../platform/http/serve.ts'
import { guestOperatorRoutes } from './operators/guests.ts'
import { apiKeyRoutes } from './integrations/api-keys.ts'
import { accountDeletionRoutes } from './accounts/account-deletion.ts'
import { passwordResetRoutes } from './accounts/password-reset.ts'
import { accountOperatorRoutes } from './accounts/operator-changes.ts'
import { passwordRoutes } from './accounts/passwords.ts'
import { signInRoutes } from './accounts/sign-in.ts'
import { emailVerificationRoutes, testEmailRoutes } from './accounts/email-address.ts'
import { sessionRoutes } from './accounts/sessions.ts'
import { settingsRoutes } from './accounts/settings.ts'
import { liveTicketRoutes } from './live/live.ts'
import { apiDocsRoutes } from './integrations/openapi.ts'
import { operatorAccountRoutes } from './operators/accounts.ts'
import { auditLogRoutes } from './operators/audit-log.ts'
import { statisticsRoutes } from './operators/statistics.ts'
import { operatorHealthRoutes } from './operators/health.ts'
import { businessInvoiceRoutes } from './plans/business-invoices.ts'
import { businessRoutes } from './plans/businesses.ts'
import { checkoutRoutes } from './plans/checkout.ts'
import { paymentWebhookRoutes } from './plans/payment-events.ts'
import { priceRoutes } from './plans/prices.ts'
import { refundRoutes } from './plans/refunds.ts'
import { subscriptionRoutes } from './plans/subscription.ts'
import { withdrawalRoutes } from './plans/withdrawals.ts'
import { withdrawalOperatorRoutes } from './operators/withdrawals.ts'
import { brandingRoutes } from './branding/brand-images.ts'
import { demoCheckoutRoutes } from './plans/demo-checkout.ts'
import { siteRoutes, webPageRoutes } from './site/web-pages.ts'
import { contributorRoutes } from './events/contributors.ts'
import { eventCodeRoutes } from './events/codes.ts'
import { eventRequestRoutes } from './events/event-requests.ts'
import { eventGuestRoutes } from './events/guest-pages.ts'
import { eventRoutes } from './events/events.ts'
import { movePhotosRoutes } from './events/move-photos.ts'
import { reviewRoutes } from './events/review.ts'
import { eventArchiveRoutes } from './events/archives.ts'
import { eventGrantRoutes } from './events/grants.ts'
import { helperOwnerRoutes, helperRoutes } from './events/helpers.ts'
import { insightsRoutes } from './insights/insights.ts'
import { integrityOperatorRoutes } from './operators/integrity.ts'
import { holdRoutes } from './screen/holds.ts'
import { photoOperatorRoutes } from './operators/photos.ts'
import { createEventManifests, photoArchiveRoutes } from './photos/archive.ts'
import { changeRoutes } from './photos/changes.ts'
import { deleteRoutes } from './photos/delete.ts'
import { galleryRoutes } from './photos/gallery.ts'
import { retryRoutes } from './photos/retry.ts'
import { createUploadHandler, uploadRoutes } from './photos/upload.ts'
import { customerApiRoutes } from './integrations/customer-api.ts'
import { watermarkRoutes } from './branding/watermark.ts'
import { removalRoutes } from './plans/photo-removals.ts'
import { reportRoutes } from './guests/reports.ts'
import { privacyRoutes } from './accounts/archive.ts'
import { guestRequestRoutes } from './guests/request-photo.ts'
import { ownerRequestRoutes } from './guests/requests.ts'
import { unsubscribeRoutes } from './guests/unsubscribe.ts'
import { grantRoutes, sharingRoutes } from './guests/sharing.ts'
import { sampleRoutes, testCodeRoutes } from './guests/samples.ts'
import { supportOperatorRoutes } from './operators/support-inbox.ts'
import { supportRoutes } from './operators/support-form.ts'
import { pagePreviewRoutes } from './site/page-previews.ts'
import { webhookRoutes } from './integrations/webhooks.ts'

/** Serves the endpoints of all features. */
export function serveFeatures(serve: Serve, deps: ApiDependencies): void {
  signInRoutes(serve, deps)
  eventRoutes(serve, deps)
  movePhotosRoutes(serve, deps)
  eventCodeRoutes(serve, deps)
  eventGuestRoutes(serve, deps)
  eventRequestRoutes(serve, deps)
  settingsRoutes(serve, deps)
  passwordResetRoutes(serve, deps)
  emailVerificationRoutes(serve, deps)
  sessionRoutes(serve, deps)
  passwordRoutes(serve, deps)
  testEmailRoutes(serve, deps)
  accountDeletionRoutes(serve, deps)
  privacyRoutes(serve, deps)
  liveTicketRoutes(serve, deps)
  apiDocsRoutes(serve, deps)
  siteRoutes(serve, deps)
  apiKeyRoutes(serve, deps)
  priceRoutes(serve, deps)
  subscriptionRoutes(serve, deps)
  checkoutRoutes(serve, deps)
  refundRoutes(serve, deps)
  businessRoutes(serve, deps)
  withdrawalRoutes(serve, deps)
  paymentWebhookRoutes(serve, deps)
  demoCheckoutRoutes(serve, deps)
  const receiveUpload = createUploadHandler(deps)
  uploadRoutes(serve, deps, receiveUpload)
  customerApiRoutes(serve, deps, receiveUpload)
  contributorRoutes(serve, deps, receiveUpload)
  reviewRoutes(serve, deps)
  galleryRoutes(serve, deps)
  changeRoutes(serve, deps)
  deleteRoutes(serve, deps)
  retryRoutes(serve, deps)
  const manifests = createEventManifests(deps)
  photoArchiveRoutes(serve, deps, manifests)
  eventArchiveRoutes(serve, deps, manifests)
  eventGrantRoutes(serve, deps, manifests)
  helperOwnerRoutes(serve, deps)
  helperRoutes(serve, deps)
  holdRoutes(serve, deps)
  removalRoutes(serve, deps)
  reportRoutes(serve, deps)
  brandingRoutes(serve, deps)
  watermarkRoutes(serve, deps)
  sharingRoutes(serve, deps)
  grantRoutes(serve, deps)
  sampleRoutes(serve, deps)
  testCodeRoutes(serve, deps)
  guestRequestRoutes(serve, deps)
  ownerRequestRoutes(serve, deps)
  unsubscribeRoutes(serve, deps)
  insightsRoutes(serve, deps)
  supportRoutes(serve, deps)
  webhookRoutes(serve, deps)
  webPageRoutes(serve, deps)
  pagePreviewRoutes(serve, deps)
  serveOperatorPage(serve, deps)
}

/** What the page /admin needs, of every feature that has something to show or to change there. */
function serveOperatorPage(serve: Serve, deps: ApiDependencies): void {
  operatorAccountRoutes(serve, deps)
  statisticsRoutes(serve, deps)
  auditLogRoutes(serve, deps)
  operatorHealthRoutes(serve, deps)
  accountOperatorRoutes(serve, deps)
  photoOperatorRoutes(serve, deps)
  supportOperatorRoutes(serve, deps)
  businessInvoiceRoutes(serve, deps)
  withdrawalOperatorRoutes(serve, deps)
  guestOperatorRoutes(serve, deps)
  integrityOperatorRoutes(serve, deps)
}
