import type { Endpoint } from './endpoint.ts'
import * as apiKeys from './integrations.ts'
import * as customerApi from './integrations.ts'
import * as webhooks from './integrations.ts'
import { apiDocument } from './integrations.ts'
import * as accounts from './accounts.ts'
import { updateSettings } from './accounts.ts'
import * as adminApi from './operators.ts'
import * as operator from './operators.ts'
import * as operatorIntegrity from './operators.ts'
import * as operatorUsers from './operators.ts'
import * as billing from './subscriptions.ts'
import * as demoCheckout from './subscriptions.ts'
import { restoreRemovedPhotos } from './subscriptions.ts'
import * as branding from './branding.ts'
import * as health from './site.ts'
import { sendSupportMessage, siteInfo } from './site.ts'
import * as holds from './screen.ts'
import { insights } from './insights.ts'
import { liveTicket } from './live.ts'
import * as operatorGuests from './operator-support.ts'
import * as operatorSupport from './operator-support.ts'
import * as operatorPhotos from './operator-support.ts'
import * as photos from './photos.ts'
import * as privacy from './security.ts'
import * as security from './security.ts'
import * as emailLinks from './security.ts'
import * as readiness from './guests.ts'
import * as reports from './guests.ts'
import * as requests from './guests.ts'
import * as sharing from './guests.ts'
import * as webPages from './rendering.ts'

const all = [
  health.health,
  health.ready,
  apiDocument,
  siteInfo,
  accounts.register,
  accounts.signIn,
  accounts.signOut,
  accounts.currentUser,
  photos.uploadPhoto,
  photos.listPhotos,
  photos.photoDays,
  photos.photoChanges,
  photos.latestPhoto,
  photos.getPhoto,
  photos.changePhoto,
  photos.deletePhoto,
  photos.changePhotos,
  photos.retryPhoto,
  photos.archivePhotos,
  photos.downloadPhotoArchive,
  restoreRemovedPhotos,
  apiKeys.listApiKeys,
  apiKeys.createApiKey,
  apiKeys.deleteApiKey,
  apiKeys.deleteApiKeys,
  customerApi.uploadPhotoByKey,
  customerApi.listPhotosByKey,
  customerApi.latestPhotoByKey,
  billing.subscriptionStatus,
  billing.listPlans,
  billing.openCheckout,
  billing.verifySession,
  billing.cancelSubscription,
  billing.resumeSubscription,
  billing.changeSubscription,
  billing.previewChange,
  billing.refundSubscription,
  billing.listInvoices,
  billing.openBillingPortal,
  billing.paymentWebhook,
  demoCheckout.demoCheckoutPage,
  demoCheckout.demoCheckoutForm,
  liveTicket,
  sharing.directDownload,
  sharing.fullImage,
  sharing.screenImage,
  sharing.thumbnailImage,
  sharing.directCode,
  sharing.requestCode,
  sharing.samplePage,
  sharing.sampleCode,
  updateSettings,
  readiness.getTestEmail,
  readiness.sendTestEmail,
  readiness.createTestCode,
  readiness.testCodeImage,
  readiness.openTestCode,
  requests.publicPhoto,
  requests.countVisit,
  requests.requestPhoto,
  requests.requestPage,
  requests.requestPageForm,
  requests.grantPage,
  requests.grantDownload,
  requests.unsubscribePage,
  requests.unsubscribeRecipient,
  requests.resubscribeRecipient,
  requests.resubscribePage,
  requests.unknownUnsubscribeLink,
  requests.listPhotoRequests,
  requests.exportPhotoRequests,
  requests.resendPhotoRequest,
  requests.resendFailedRequests,
  holds.getHold,
  holds.holdPhoto,
  holds.releaseHold,
  reports.reportPhoto,
  reports.reportForm,
  reports.listReports,
  reports.decideReport,
  reports.undoDecision,
  insights,
  sendSupportMessage,
  emailLinks.requestPasswordReset,
  emailLinks.resetPassword,
  emailLinks.checkResetLink,
  emailLinks.verifyEmail,
  security.sendVerification,
  security.changeEmail,
  security.changePassword,
  security.confirmPassword,
  security.listSessions,
  security.endSessions,
  security.endOneSession,
  privacy.requestExport,
  privacy.exportState,
  privacy.downloadExport,
  privacy.deleteAccount,
  branding.uploadLogo,
  branding.uploadBackground,
  branding.deleteLogo,
  branding.deleteBackground,
  branding.brandImage,
  branding.watermarkPreview,
  branding.watermarkRun,
  branding.startWatermarkRun,
  branding.stopWatermarkRun,
  adminApi.adminListUsers,
  adminApi.adminStats,
  adminApi.adminGetUser,
  operator.operatorOverview,
  operator.operatorHealth,
  operatorIntegrity.operatorIntegrity,
  operatorIntegrity.startIntegrityCheck,
  operator.listAuditEntries,
  operator.confirmOperator,
  operatorUsers.operatorListUsers,
  operatorUsers.operatorGetUser,
  operatorUsers.deactivateUser,
  operatorUsers.activateUser,
  operatorUsers.givePlan,
  operatorUsers.refundUser,
  operatorUsers.exportUser,
  operatorUsers.deleteUser,
  operatorGuests.findEmails,
  operatorGuests.sendEmailAgain,
  operatorGuests.eraseGuest,
  operatorPhotos.listFailedPhotos,
  operatorPhotos.listReportedPhotos,
  operatorPhotos.retryFailedPhoto,
  operatorPhotos.hideReportedPhoto,
  operatorPhotos.showReportedPhoto,
  operatorPhotos.deleteReportedPhoto,
  operatorPhotos.findPhoto,
  operatorSupport.listSupportMessages,
  operatorSupport.getSupportMessage,
  operatorSupport.changeSupportMessage,
  operatorSupport.deleteSupportMessage,
  webPages.pagePreview,
  webPages.robotsFile,
  webPages.sitemap,
  webPages.appManifest,
  webhooks.listWebhooks,
  webhooks.createWebhook,
  webhooks.changeWebhook,
  webhooks.deleteWebhook,
  webhooks.deleteWebhooks,
  webhooks.replaceWebhookSecret,
  webhooks.listDeliveries,
  webhooks.replayDelivery,
  webhooks.testWebhook,
] as const satisfies readonly Endpoint[]

/** One of `endpoints`, as it was declared. */
export type DeclaredEndpoint = (typeof all)[number]

/** Every endpoint of the API. The server can only serve endpoints in this list, and tests cover each of them. */
export const endpoints: readonly Endpoint[] = all
