import { join } from 'node:path'
import { type ErasureFile, erasureFileIn, erasureFileName } from './backup/erasure-file.ts'
import { deleteOldErasures } from './backup/erasures.ts'
import type { Dependencies } from './dependencies.ts'
import { deleteOldAuditEntries } from './domain/audit-log.ts'
import { removeIfUnreferenced } from './domain/stored-objects.ts'
import { cleanUpEmails, deleteEmailFilesOfPhoto } from './emails/clean-up.ts'
import { createEmailSender } from './emails/email-sender.ts'
import { deleteOrphanedObjects } from './features/accounts/account-deletion.ts'
import { accountEmailComposers } from './features/accounts/account-emails.ts'
import { deleteOldLinks } from './features/accounts/email-links.ts'
import { deleteExpiredTickets } from './features/accounts/live-tickets.ts'
import { deleteOldPasswordAttempts } from './features/accounts/password-attempts.ts'
import { sendPasswordReset } from './features/accounts/password-reset.ts'
import { deleteExpiredSessions } from './features/accounts/queries.ts'
import { billingJobs } from './features/billing/billing-jobs.ts'
import { disputeEmailComposer } from './features/billing/dispute-emails.ts'
import { planEmailComposers } from './features/billing/plan-emails.ts'
import { measureLogo, queueLogoMeasurements } from './features/branding/measure-logos.ts'
import { deleteOldAvailability } from './features/health/availability.ts'
import { compareStorage } from './features/integrity/compare-storage.ts'
import { keepingEmailComposers } from './features/keeping/keeping-email-composers.ts'
import { checkPlanStorage } from './features/keeping/plan-storage.ts'
import { checkKeptPhotos } from './features/keeping/remove-photos.ts'
import { cleanUpPhotos } from './features/photos/clean-up.ts'
import { deletePhotoObjects } from './features/photos/delete-photo.ts'
import { operatorDecisionComposers } from './features/photos/operator-decision-emails.ts'
import { deleteOldPhotoArchives } from './features/photos/photo-archive.ts'
import { processPhotoInTurn } from './features/photos/process-photo.ts'
import { reportEmailComposers } from './features/photos/report-emails.ts'
import type { SpeculativeProcessing } from './features/photos/speculative-processing.ts'
import { usageEmailComposer } from './features/photos/usage-email.ts'
import { watermarkNextPhoto } from './features/photos/watermark-run.ts'
import { archiveEmailComposer } from './features/privacy/archive-email.ts'
import { buildArchive, deleteExpiredArchives, prepareArchive } from './features/privacy/archive.ts'
import { photoEmailComposer } from './features/requests/photo-email.ts'
import { deleteOldRequests } from './features/requests/queries.ts'
import { deleteOldRequestAttempts } from './features/requests/request-attempts.ts'
import { requestRemovalEmailComposer, tellOfRequestRemovals } from './features/requests/request-removals.ts'
import { cleanUpSupport } from './features/support/clean-up.ts'
import { supportEmailComposers } from './features/support/support-emails.ts'
import { cleanUpWebhooks } from './features/webhooks/clean-up.ts'
import { deliverToWebhook } from './features/webhooks/deliver.ts'
import { webhookEmailComposer } from './features/webhooks/disabled-email.ts'
import { recordWebhookEvent } from './features/webhooks/record-event.ts'
import { deleteOldRateHits } from './http/rate-limits.ts'
import type { ImagePool } from './images/sandbox/image-pool.ts'
import type { Handlers } from './jobs/jobs.ts'
import { removeUnusedSequences } from './jobs/unused-sequences.ts'
import { removalDependencies } from './setup/removal-dependencies.ts'

/** Sends emails of every kind. */
const createSender = (deps: Dependencies) =>
  createEmailSender({
    ...deps,
    from: deps.config.mailFrom,
    composers: {
      photo: photoEmailComposer(deps),
      ...accountEmailComposers(deps),
      archive: archiveEmailComposer(deps),
      ...reportEmailComposers(deps),
      ...operatorDecisionComposers(deps),
      ...planEmailComposers(deps),
      'payment-disputed': disputeEmailComposer(deps),
      usage: usageEmailComposer(deps),
      ...keepingEmailComposers(deps),
      ...supportEmailComposers(deps),
      'webhook-disabled': webhookEmailComposer(deps),
      'request-removal': requestRemovalEmailComposer(deps),
    },
  })

/** Removes what has expired or was interrupted, and writes down what was erased. */
async function cleanUp(deps: Dependencies, erasureFile: ErasureFile): Promise<void> {
  const { db } = deps
  await cleanUpPhotos(deps)
  await queueLogoMeasurements(db)
  await deleteExpiredSessions(db)
  await deleteOldPasswordAttempts(db)
  await deleteExpiredTickets(db)
  await deleteOldLinks(db)
  await deleteExpiredArchives(deps)
  await deleteOldPhotoArchives(db)
  await deleteOldRequests(db)
  await deleteOldRequestAttempts(db)
  await cleanUpEmails(deps)
  await deleteOldRateHits(db)
  await deleteOldAuditEntries(db)
  await deleteOldAvailability(db)
  await cleanUpWebhooks(deps)
  await cleanUpSupport(db)
  await removeUnusedSequences(deps)
  await deleteOldErasures(db)
  await erasureFile.update()
}

/** The handler of each job. */
export function createJobHandlers(
  deps: Dependencies & { speculative: SpeculativeProcessing },
  images: ImagePool,
): Handlers {
  const { db, mail } = deps
  const emailSender = createSender(deps)
  const removals = removalDependencies(deps)
  const erasureFile = erasureFileIn(db, join(deps.config.dataDir, erasureFileName))
  return {
    'send-email': ({ emailId }) => emailSender.send(emailId),
    ...billingJobs(deps),
    'send-password-reset': ({ email }) => sendPasswordReset(deps, email),
    'build-archive': ({ archiveId }) => buildArchive(deps, archiveId),
    'prepare-archive': ({ userId }) => prepareArchive(db, userId),
    'check-plan-storage': ({ userId }) => checkPlanStorage(removals, userId),
    'check-kept-photos': () => checkKeptPhotos(removals),
    'delete-orphaned-objects': () => deleteOrphanedObjects(deps),
    'delete-outbox-emails': ({ emailIds }) => mail.deleteStored(emailIds),
    'retry-unreachable-emails': () => emailSender.retryAwaitingServer(),
    'process-photo': ({ photoId }, id) => processPhotoInTurn({ ...deps, images }, { id, taskClass: 'quick', photoId }),
    'process-slow-photo': ({ photoId }, id) =>
      processPhotoInTurn({ ...deps, images }, { id, taskClass: 'slow', photoId }),
    'process-long-photo': ({ photoId }, id) =>
      processPhotoInTurn({ ...deps, images }, { id, taskClass: 'long', photoId }),
    'watermark-next-photo': ({ userId }) => watermarkNextPhoto({ ...deps, images }, userId),
    'measure-logo': ({ key }) => measureLogo({ ...deps, images }, key),
    'record-webhook-event': (event) => recordWebhookEvent(db, event),
    'deliver-to-webhook': ({ webhookId }) => deliverToWebhook(deps, webhookId),
    'deliver-to-slow-webhook': ({ webhookId }) => deliverToWebhook(deps, webhookId),
    'delete-object': ({ key }) => removeIfUnreferenced(deps, key),
    async 'delete-photo'({ photoId }) {
      await deletePhotoObjects(deps, photoId)
      await deleteEmailFilesOfPhoto(deps, photoId)
    },
    'compare-storage': async ({ by }) => void (await compareStorage(deps, by)),
    'clean-up': () => cleanUp(deps, erasureFile),
    'tell-of-request-removals': () => tellOfRequestRemovals(db),
  }
}
