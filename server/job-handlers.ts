import { join } from 'node:path'
import { deleteOldErasures, type ErasureFile, erasureFileIn, erasureFileName } from './features/accounts/erasures.ts'
import type { Dependencies } from './dependencies.ts'
import { deleteOldAuditEntries } from './features/operators/audit-log.ts'
import { removeIfUnreferenced } from './features/photos/stored-objects.ts'
import { cleanUpEmails, deleteEmailFilesOfPhoto } from './features/emails/stored-emails.ts'
import { createEmailSender } from './features/emails/send-email.ts'
import { deleteOrphanedObjects } from './features/accounts/account-deletion.ts'
import { accountEmails } from './features/accounts/emails.ts'
import { deleteOldLinks } from './features/accounts/email-links.ts'
import { deleteExpiredTickets } from './features/live/live.ts'
import { deleteOldPasswordAttempts } from './features/accounts/passwords.ts'
import { sendPasswordReset } from './features/accounts/password-reset.ts'
import { deleteExpiredSessions } from './features/accounts/sessions.ts'
import { deleteOldInvoices, writeInvoices } from './features/plans/business-invoices.ts'
import { pushBusiness } from './features/plans/businesses.ts'
import { closeCustomer } from './features/plans/close-customer.ts'
import { planEmails, tellOfDispute } from './features/plans/emails.ts'
import { findPayer } from './features/plans/payment-events.ts'
import { checkPayments } from './features/plans/prices.ts'
import { compareCustomers, reconcilePayments } from './features/plans/reconcile.ts'
import { runRefund } from './features/plans/refunds.ts'
import { cleanUpWithdrawals, processWithdrawal } from './features/plans/withdrawals.ts'
import { endPaidPlan, syncCustomer } from './features/plans/sync-customer.ts'
import { measureLogo, queueLogoMeasurements } from './features/branding/brand-images.ts'
import { deleteOldAvailability } from './features/operators/health.ts'
import { compareStorage } from './features/operators/integrity.ts'
import { checkKeptPhotos, checkPlanStorage, createClockWatch } from './features/plans/keeping.ts'
import { cleanUpPhotos } from './features/photos/clean-up.ts'
import { deletePhotoObjects } from './features/photos/delete.ts'
import { purgeEvents } from './features/events/events.ts'
import { guestEmails } from './features/guests/emails.ts'
import { eventEmails } from './features/events/emails.ts'
import { eventRequestEmails } from './features/events/event-requests.ts'
import { sendGalleryNotices } from './features/events/notices.ts'
import { cleanUpGuestPhotos } from './features/events/clean-up.ts'
import { deleteOldPhotoArchives } from './features/photos/archive.ts'
import { processPhotoInTurn } from './features/photos/process.ts'
import { watermarkNextPhoto } from './features/branding/watermark.ts'
import { buildArchive, deleteExpiredArchives, prepareArchive } from './features/accounts/archive.ts'
import { deleteOldRequests, tellOfRequestRemovals } from './features/guests/requests.ts'
import { deleteOldRequestAttempts } from './features/guests/request-photo.ts'
import { cleanUpSupport } from './features/operators/support-form.ts'
import { operatorEmails } from './features/operators/emails.ts'
import { cleanUpWebhooks, deliverToWebhook, recordWebhookEvent } from './features/integrations/webhook-deliveries.ts'
import { deleteOldEventGrants, eventGrantEmails } from './features/events/grants.ts'
import { integrationEmails } from './features/integrations/emails.ts'
import { deleteOldRateHits } from './platform/http/rate-limits.ts'
import type { Handlers } from './platform/jobs/jobs.ts'
import { removeUnusedSequences } from './platform/jobs/worker.ts'

/** Sends emails of every kind. */
const createSender = (deps: Dependencies) =>
  createEmailSender({
    ...deps,
    from: deps.config.mailFrom,
    composers: {
      ...guestEmails(deps, eventRequestEmails(deps)),
      ...eventEmails(deps),
      ...accountEmails(deps),
      ...planEmails(deps),
      ...operatorEmails(deps),
      ...integrationEmails(deps),
      ...eventGrantEmails(deps),
    },
  })

/** Removes what has expired or was interrupted, and writes down what was erased. */
async function cleanUp(deps: Dependencies, erasureFile: ErasureFile): Promise<void> {
  const { db } = deps
  await cleanUpPhotos(deps)
  await cleanUpGuestPhotos(deps)
  await sendGalleryNotices(deps)
  await queueLogoMeasurements(db)
  await deleteExpiredSessions(db)
  await deleteOldPasswordAttempts(db)
  await deleteExpiredTickets(db)
  await deleteOldLinks(db)
  await deleteExpiredArchives(deps)
  await deleteOldPhotoArchives(db)
  await deleteOldEventGrants(db)
  await deleteOldRequests(db)
  await deleteOldRequestAttempts(db)
  await cleanUpEmails(deps)
  await deleteOldRateHits(db)
  await deleteOldAuditEntries(db)
  await deleteOldAvailability(db)
  await cleanUpWebhooks(deps)
  await cleanUpSupport(db)
  await deleteOldInvoices(db)
  await cleanUpWithdrawals(db)
  await removeUnusedSequences(deps)
  await deleteOldErasures(db)
  await erasureFile.update()
}

/** The handler of each job. */
export function createJobHandlers(deps: Dependencies): Handlers {
  const { db, mail } = deps
  const emailSender = createSender(deps)
  // One for each process: it remembers the clock of the last run.
  const clockWatch = createClockWatch()
  const erasureFile = erasureFileIn(db, join(deps.config.dataDir, erasureFileName))
  return {
    'send-email': ({ emailId }) => emailSender.send(emailId),
    'sync-customer': async ({ customerId }) => void (await syncCustomer(deps, customerId)),
    'find-payer': ({ eventId }) => findPayer(deps, eventId),
    'tell-of-dispute': ({ disputeId }) => tellOfDispute(deps, disputeId),
    'check-payments': () => checkPayments(deps),
    'close-customer': ({ customerId }) => closeCustomer(deps, customerId),
    'refund-payments': async ({ refundId }) => void (await runRefund(deps, refundId)),
    'write-invoices': ({ customerId }) => writeInvoices(deps, customerId),
    'push-business': async ({ userId }) => void (await pushBusiness(deps, userId)),
    'process-withdrawal': ({ withdrawalId }) => processWithdrawal(deps, withdrawalId),
    'end-paid-plan': ({ userId }) => endPaidPlan(deps, userId),
    'reconcile-payments': () => reconcilePayments(deps),
    'compare-customers': () => compareCustomers(deps),
    'advance-demo-payments': async () => void (await deps.demoPayments?.advance()),
    'send-password-reset': ({ email }) => sendPasswordReset(deps, email),
    'build-archive': ({ archiveId }) => buildArchive(deps, archiveId),
    'prepare-archive': ({ userId }) => prepareArchive(db, userId),
    'check-plan-storage': ({ userId }) => checkPlanStorage(db, userId),
    'check-kept-photos': () => checkKeptPhotos(deps, clockWatch),
    'delete-orphaned-objects': () => deleteOrphanedObjects(deps),
    'delete-outbox-emails': ({ emailIds }) => mail.deleteStored(emailIds),
    'retry-unreachable-emails': () => emailSender.retryAwaitingServer(),
    'process-photo': ({ photoId }, id) => processPhotoInTurn(deps, { id, taskClass: 'quick', photoId }),
    'process-slow-photo': ({ photoId }, id) => processPhotoInTurn(deps, { id, taskClass: 'slow', photoId }),
    'process-long-photo': ({ photoId }, id) => processPhotoInTurn(deps, { id, taskClass: 'long', photoId }),
    'watermark-next-photo': ({ userId }) => watermarkNextPhoto(deps, userId),
    'measure-logo': ({ key }) => measureLogo(deps, key),
    'record-webhook-event': (event) => recordWebhookEvent(db, event),
    'deliver-to-webhook': ({ webhookId }) => deliverToWebhook(deps, webhookId),
    'deliver-to-slow-webhook': ({ webhookId }) => deliverToWebhook(deps, webhookId),
    'delete-object': ({ key }) => removeIfUnreferenced(deps, key),
    async 'delete-photo'({ photoId }) {
      await deletePhotoObjects(deps, photoId)
      await deleteEmailFilesOfPhoto(deps, photoId)
    },
    'compare-storage': async ({ by }) => void (await compareStorage(deps, by)),
    'purge-events': () => purgeEvents(deps),
    'clean-up': () => cleanUp(deps, erasureFile),
    'tell-of-request-removals': () => tellOfRequestRemovals(db),
  }
}
