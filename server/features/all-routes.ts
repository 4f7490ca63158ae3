import type { Dependencies } from '../dependencies.ts'
import type { Authenticator } from '../http/authenticator.ts'
import type { Origins } from '../http/origins.ts'
import type { Serve } from '../http/serve.ts'
import type { LoadWebPageRenderer } from '../http/web-page-renderer.ts'
import type { ImagePool } from '../images/sandbox/image-pool.ts'
import type { ScreenImages } from '../domain/screen-images.ts'
import { eraseGuest } from '../setup/erase-guest.ts'
import { isMailOff } from '../ports/mail/mail-settings.ts'
import type { Passwords } from './accounts/passwords.ts'
import type { PhotoReads } from './photos/photo-reads.ts'
import type { SpeculativeProcessing } from './photos/speculative-processing.ts'
import type { CustomerKeys } from './api-keys/key-store.ts'
import { accountDeletionRoutes } from './accounts/account-deletion.ts'
import { passwordResetRoutes } from './accounts/password-reset.ts'
import { accountOperatorRoutes } from './accounts/operator-routes.ts'
import { accountRoutes } from './accounts/routes.ts'
import { testEmailRoutes } from './accounts/test-email.ts'
import { sessions } from './accounts/sessions.ts'
import { settingsRoutes } from './accounts/settings.ts'
import { emailVerificationRoutes } from './accounts/email-verification.ts'
import { liveTicketRoutes } from './accounts/live-tickets.ts'
import { apiDocsRoutes } from './api-docs/routes.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { adminApiRoutes } from './admin/admin-api-routes.ts'
import { operatorHealthRoutes } from './admin/health-routes.ts'
import { operatorPageRoutes, readOperatorUser } from './admin/operator-routes.ts'
import { billingHealth } from './billing/billing-health.ts'
import { billingOperatorRoutes } from './billing/operator-routes.ts'
import { billingRoutes } from './billing/routes.ts'
import { brandingRoutes } from './branding/routes.ts'
import { demoCheckoutRoutes } from './demo-checkout/routes.ts'
import { siteRoutes } from './site/routes.ts'
import { insightsRoutes } from './insights/routes.ts'
import { integrityOperatorRoutes } from './integrity/operator-routes.ts'
import { holdRoutes } from './photos/holds.ts'
import { waitingRemovals } from './keeping/removal-guard.ts'
import { photoOperatorRoutes } from './photos/operator-routes.ts'
import { photoArchiveRoutes } from './photos/photo-archive.ts'
import { photoRoutes } from './photos/routes.ts'
import { watermarkRoutes } from './photos/watermark-routes.ts'
import { removalRoutes } from './photos/removal-routes.ts'
import { reportRoutes } from './photos/report-routes.ts'
import { replaceArchiveWith } from './privacy/archive.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { guestOperatorRoutes } from './requests/operator-routes.ts'
import { guestRequestRoutes } from './requests/guest-routes.ts'
import { ownerRequestRoutes } from './requests/owner-routes.ts'
import { unsubscribeRoutes } from './requests/unsubscribe-routes.ts'
import { grantRoutes } from './sharing/grant-routes.ts'
import { sharingRoutes } from './sharing/routes.ts'
import { testCodeRoutes } from './sharing/test-code-routes.ts'
import { sampleRoutes } from './sharing/sample-routes.ts'
import { countMessagesOf } from './support/operator-queries.ts'
import { supportOperatorRoutes } from './support/operator-routes.ts'
import { supportRoutes } from './support/routes.ts'
import { pagePreviewRoutes } from './web-pages/preview-routes.ts'
import { webPageRoutes } from './web-pages/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

type RouteDependencies = Dependencies & {
  photoReads: PhotoReads
  passwords: Passwords
  authenticator: Authenticator
  customerKeys: CustomerKeys
  origins: Origins
  /** Aborted when this node is about to stop. */
  shutdown: AbortSignal
  speculative: SpeculativeProcessing
  images: () => Promise<ImagePool>
  screenImages: ScreenImages
  minAnswerMs: number
  slowReadMs?: number | undefined
  /** The built web app. */
  webDist: string
  loadRenderer: LoadWebPageRenderer
}

/** Serves the endpoints of all features. */
export function serveFeatures(serve: Serve, deps: RouteDependencies): void {
  accountRoutes(serve, deps)
  settingsRoutes(serve, deps)
  passwordResetRoutes(serve, deps)
  emailVerificationRoutes(serve, deps)
  sessions(serve, deps)
  testEmailRoutes(serve, deps)
  accountDeletionRoutes(serve, deps)
  privacyRoutes(serve, deps)
  liveTicketRoutes(serve, deps)
  apiDocsRoutes(serve, deps)
  siteRoutes(serve, deps)
  apiKeyRoutes(serve, deps)
  billingRoutes(serve, deps)
  demoCheckoutRoutes(serve, deps)
  photoRoutes(serve, deps)
  photoArchiveRoutes(serve, deps)
  holdRoutes(serve, deps)
  removalRoutes(serve, deps)
  reportRoutes(serve, deps)
  brandingRoutes(serve, deps)
  watermarkRoutes(serve, deps)
  sharingRoutes(serve, deps)
  grantRoutes(serve, deps)
  sampleRoutes(serve, deps)
  testCodeRoutes(serve, deps)
  guestRequestRoutes(serve, { ...deps, isMailOff: isMailOff(deps.config) })
  ownerRequestRoutes(serve, deps)
  unsubscribeRoutes(serve, deps)
  insightsRoutes(serve, deps)
  supportRoutes(serve, deps)
  webhookRoutes(serve, deps)
  webPageRoutes(serve, deps)
  pagePreviewRoutes(serve, deps)
  adminApiRoutes(serve, deps)
  serveOperatorPage(serve, deps)
}

/** What the page /admin needs, of every feature that has something to show or to change there. */
function serveOperatorPage(serve: Serve, deps: RouteDependencies): void {
  operatorPageRoutes(serve, deps)
  operatorHealthRoutes(serve, {
    ...deps,
    paymentsHealth: () => billingHealth(deps.db),
    removalsHealth: () => waitingRemovals(deps.db),
  })
  accountOperatorRoutes(serve, { ...deps, readOperatorUser: readOperatorUser(deps) })
  billingOperatorRoutes(serve, deps)
  photoOperatorRoutes(serve, { ...deps, replaceArchive: replaceArchiveWith })
  supportOperatorRoutes(serve, deps)
  guestOperatorRoutes(serve, {
    ...deps,
    countMessagesOf,
    eraseGuest: (tx, address) => eraseGuest(tx, deps.tokens, address),
  })
  integrityOperatorRoutes(serve, deps)
}
