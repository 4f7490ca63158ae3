import type { Dependencies } from '../dependencies.ts'
import type { Authenticator } from '../http/authenticator.ts'
import type { Origins } from '../http/origins.ts'
import type { Serve } from '../http/serve.ts'
import type { LoadWebPageRenderer } from '../http/web-page-renderer.ts'
import type { ImagePool } from '../images/sandbox/image-pool.ts'
import { isMailOff } from '../ports/mail/mail-settings.ts'
import type { Passwords } from './accounts/passwords.ts'
import type { PhotoReads } from './photos/photo-reads.ts'
import type { SpeculativeProcessing } from './photos/speculative-processing.ts'
import type { CustomerKeys } from './api-keys/key-store.ts'
import { accountDeletion } from './accounts/account-deletion.ts'
import { passwordReset } from './accounts/password-reset.ts'
import { accountOperatorRoutes } from './accounts/operator-routes.ts'
import { accounts } from './accounts/routes.ts'
import { testEmails } from './accounts/test-email.ts'
import { sessions } from './accounts/sessions.ts'
import { settings } from './accounts/settings.ts'
import { emailVerification } from './accounts/email-verification.ts'
import { liveTickets } from './accounts/live-tickets.ts'
import { apiDocs } from './api-docs/routes.ts'
import { apiKeys } from './api-keys/routes.ts'
import { adminApi } from './admin/admin-api-routes.ts'
import { operatorHealthRoutes } from './admin/health-routes.ts'
import { operatorPage, readOperatorUser } from './admin/operator-routes.ts'
import { billingHealth } from './billing/billing-health.ts'
import { billingOperatorRoutes } from './billing/operator-routes.ts'
import { billing } from './billing/routes.ts'
import { branding } from './branding/routes.ts'
import { demoCheckout } from './demo-checkout/routes.ts'
import { site } from './site/routes.ts'
import { showInsights } from './insights/routes.ts'
import { integrityOperatorRoutes } from './integrity/operator-routes.ts'
import { holds } from './photos/holds.ts'
import { photoOperatorRoutes } from './photos/operator-routes.ts'
import { photos } from './photos/routes.ts'
import { watermarkRoutes } from './photos/watermark-routes.ts'
import { removalRoutes } from './photos/removal-routes.ts'
import { reportRoutes } from './photos/report-routes.ts'
import { privacy } from './privacy/routes.ts'
import { guestRequests } from './requests/guest-routes.ts'
import { ownerRequests } from './requests/owner-routes.ts'
import { unsubscribe } from './requests/unsubscribe-routes.ts'
import { grants } from './sharing/grant-routes.ts'
import { sharing } from './sharing/routes.ts'
import { testCodeRoutes } from './sharing/test-code-routes.ts'
import { sampleRoutes } from './sharing/sample-routes.ts'
import { supportInbox } from './support/operator-routes.ts'
import { support } from './support/routes.ts'
import { pagePreviews } from './web-pages/preview-routes.ts'
import { webPages } from './web-pages/routes.ts'
import { webhooks } from './webhooks/routes.ts'

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
  minAnswerMs: number
  /** The built web app. */
  webDist: string
  loadRenderer: LoadWebPageRenderer
}

/** Serves the endpoints of all features. */
export function serveFeatures(serve: Serve, deps: RouteDependencies): void {
  accounts(serve, deps)
  settings(serve, deps)
  passwordReset(serve, deps)
  emailVerification(serve, deps)
  sessions(serve, deps)
  testEmails(serve, deps)
  accountDeletion(serve, deps)
  privacy(serve, deps)
  liveTickets(serve, deps)
  apiDocs(serve, deps)
  site(serve, deps)
  apiKeys(serve, deps)
  billing(serve, deps)
  demoCheckout(serve, deps)
  photos(serve, deps)
  holds(serve, deps)
  removalRoutes(serve, deps)
  reportRoutes(serve, deps)
  branding(serve, deps)
  watermarkRoutes(serve, deps)
  sharing(serve, deps)
  grants(serve, deps)
  sampleRoutes(serve, deps)
  testCodeRoutes(serve, deps)
  guestRequests(serve, { ...deps, isMailOff: isMailOff(deps.config) })
  ownerRequests(serve, deps)
  unsubscribe(serve, deps)
  showInsights(serve, deps)
  support(serve, deps)
  webhooks(serve, deps)
  webPages(serve, deps)
  pagePreviews(serve, deps)
  adminApi(serve, deps)
  serveOperatorPage(serve, deps)
}

/** What the page /admin needs, of every feature that has something to show or to change there. */
function serveOperatorPage(serve: Serve, deps: RouteDependencies): void {
  operatorPage(serve, deps)
  operatorHealthRoutes(serve, { ...deps, paymentsHealth: () => billingHealth(deps.db) })
  accountOperatorRoutes(serve, { ...deps, readOperatorUser: readOperatorUser(deps) })
  billingOperatorRoutes(serve, deps)
  photoOperatorRoutes(serve, deps)
  supportInbox(serve, deps)
  integrityOperatorRoutes(serve, deps)
}
