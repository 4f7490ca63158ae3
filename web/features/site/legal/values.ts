import { availabilityTarget, deviceCookieDays, legalNoticeDays } from '@keepsnap/contract/site.ts'
import { languageCookieSeconds } from '@keepsnap/contract/languages.ts'
import { eventLimits } from '@keepsnap/contract/event-limits.ts'
import {
  accountLimits,
  adminLimits,
  apiKeyLimits,
  billingLimits,
  emailLimits,
  limits,
  rates,
  retention,
  supportLimits,
  webhookLimits,
} from '@keepsnap/contract/limits.ts'
import { plans } from '@keepsnap/contract/plans.ts'

const mebibyte = 1024 * 1024
const { free, pro_monthly: monthly, pro_yearly: yearly } = plans

/**
 * The numbers of the legal texts, from the constants that the program uses. A text has no other numbers of the program;
 * versions that no longer apply have theirs as data (docs/decisions/0039-versions-of-legal-texts.md).
 */
export const currentValues = {
  noticeDays: legalNoticeDays,
  uptimePercent: availabilityTarget.percent,
  uptimeDays: availabilityTarget.days,
  freePhotos: free.features.max_photos,
  freeStorageGb: free.features.storage_gb,
  freeFileMb: free.features.max_file_size_mb,
  monthlyCents: monthly.price_cents,
  monthlyPhotos: monthly.features.max_photos,
  monthlyStorageGb: monthly.features.storage_gb,
  monthlyFileMb: monthly.features.max_file_size_mb,
  yearlyCents: yearly.price_cents,
  yearlyPhotos: yearly.features.max_photos,
  yearlyStorageGb: yearly.features.storage_gb,
  yearlyFileMb: yearly.features.max_file_size_mb,
  graceDays: billingLimits.graceDays,
  refundDays: billingLimits.refundDays,
  withdrawalDays: billingLimits.withdrawalDays,
  keepDays: billingLimits.keepDays,
  keepEmails: billingLimits.keepEmailDays.length,
  keepEmailDays: billingLimits.keepEmailDays.join(', '),
  undoRemovalDays: billingLimits.undoRemovalDays,
  sessionIdleDays: limits.sessionIdleDays,
  sessionMaxDays: limits.sessionMaxDays,
  userAgentChars: retention.userAgentChars,
  failedOriginalDays: limits.failedOriginalDays,
  deletedPhotoHours: retention.deletedPhotoHours,
  requestDays: limits.requestDays,
  grantHours: limits.grantHours,
  expiredLinkDays: retention.expiredLinkDays,
  attachMb: emailLimits.attachBytes / mebibyte,
  emailsPerHour: emailLimits.perAddressHour,
  emailsPerDay: emailLimits.perAddressDay,
  requestAttemptDays: retention.requestAttemptDays,
  reportNoteChars: limits.reportNoteChars,
  openReports: retention.openReportsMax,
  resetMinutes: accountLimits.resetMinutes,
  verifyDays: accountLimits.verifyHours / 24,
  exportDays: accountLimits.exportDays,
  receiptHours: accountLimits.receiptHours,
  supportAnsweredDays: supportLimits.answeredDays,
  supportOpenDays: supportLimits.openDays,
  supportSuspectedDays: supportLimits.suspectedDays,
  authPerMinute: rates.auth.perMinute,
  /** On average: so the conditions say it since a time when each minute was counted. */
  uploadsPerMinute: (rates.uploads.calls * 60) / rates.uploads.seconds,
  apiCallsPerMinute: rates.photos.perMinute,
  apiKeys: apiKeyLimits.keysMax,
  rateHitMinutes: retention.rateHitMinutes,
  uploadHitMinutes: retention.uploadHitMinutes,
  guestHitMinutes: retention.guestHitMinutes,
  passwordAttemptDays: retention.passwordAttemptDays,
  knownClientDays: retention.knownClientDays,
  processingDays: retention.processingDays,
  paymentEventDays: retention.paymentEventDays,
  erasureDays: retention.erasureDays,
  withdrawalYears: retention.withdrawalDays / 365,
  invoiceYears: retention.invoiceYears,
  auditActionDays: adminLimits.auditActionDays,
  auditCallDays: adminLimits.auditCallDays,
  webhookLogDays: webhookLimits.keepDays,
  presignedSeconds: retention.presignedSeconds,
  languageDays: languageCookieSeconds / 86_400,
  deviceCookieDays,
  eventUndoDays: eventLimits.undoDays,
  rejectedDays: eventLimits.rejectedDays,
  scannedHours: eventLimits.scannedHours,
  rememberedDays: eventLimits.rememberedDays,
  contributorEndDays: eventLimits.contributorDaysAfterEnd,
  contributorDays: eventLimits.contributorDays,
  takeBackMinutes: eventLimits.takeBackMinutes,
  eventGrantDays: eventLimits.grantDays,
}
/** The numbers of one version of a legal text. */
export type LegalValues = typeof currentValues
