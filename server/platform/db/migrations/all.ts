import type { Migration } from 'kysely/migration'
import * as first from './0001_first.ts'
import * as guests from './0002_guests.ts'
import * as accounts from './0003_accounts.ts'
import * as blocks from './0004_blocks.ts'
import * as plainNames from './0005_plain_names.ts'
import * as logoContrast from './0006_logo_contrast.ts'
import * as chosenOrder from './0007_chosen_order.ts'
import * as watermarkLayout from './0008_watermark_layout.ts'
import * as outboxFiles from './0009_outbox_files.ts'
import * as profileFields from './0010_profile_fields.ts'
import * as bigScreen from './0011_big_screen.ts'
import * as retryHelps from './0012_retry_helps.ts'
import * as processingBudget from './0013_processing_budget.ts'
import * as reportEmails from './0014_report_emails.ts'
import * as failedQuickFiles from './0015_failed_quick_files.ts'
import * as billing from './0016_billing.ts'
import * as demoPayments from './0017_demo_payments.ts'
import * as keeping from './0018_keeping.ts'
import * as apiKeys from './0019_api_keys.ts'
import * as adminKeys from './0020_admin_keys.ts'
import * as webhooks from './0021_webhooks.ts'
import * as paymentAttempts from './0022_payment_attempts.ts'
import * as credit from './0023_credit.ts'
import * as admin from './0024_admin.ts'
import * as webhookQueue from './0026_webhook_queue.ts'
import * as rates from './0027_rates.ts'
import * as slowWebhooks from './0028_slow_webhooks.ts'
import * as languages from './0030_languages.ts'
import * as support from './0031_support.ts'
import * as termsVersion from './0032_terms_version.ts'
import * as backups from './0033_backups.ts'
import * as storageMoves from './0034_storage_moves.ts'
import * as integrity from './0035_integrity.ts'
import * as secretKeys from './0036_secret_keys.ts'
import * as operatorDecisions from './0037_operator_decisions.ts'
import * as backupState from './0038_backup_state.ts'
import * as refundAmounts from './0039_refund_amounts.ts'
import * as installation from './0040_installation.ts'
import * as money from './0041_money.ts'
import * as erasedGuests from './0042_erased_guests.ts'
import * as uploadHashes from './0043_upload_hashes.ts'
import * as backupChecks from './0044_backup_checks.ts'
import * as processingTurns from './0045_processing_turns.ts'
import * as screenImages from './0046_screen_images.ts'
import * as supportNetworks from './0047_support_networks.ts'
import * as access from './0048_access.ts'
import * as photoCounts from './0049_photo_counts.ts'
import * as photoChanges from './0050_photo_changes.ts'
import * as requestRemovalEmails from './0051_request_removal_emails.ts'
import * as networkRates from './0052_network_rates.ts'
import * as photoArchives from './0053_photo_archives.ts'
import * as rateWindows from './0054_rate_windows.ts'
import * as withdrawalsAndInvoices from './0055_withdrawals_and_invoices.ts'
import * as events from './0056_events.ts'
import * as guestGallery from './0057_guest_gallery.ts'
import * as guestPhotos from './0058_guest_photos.ts'
import * as eventGrants from './0059_event_grants.ts'
import * as helpers from './0060_helpers.ts'
import * as galleryNotices from './0061_gallery_notices.ts'

/** Every migration in order; names are stored, so they never change. */
export const migrations: Record<string, Migration> = {
  '0001_first': first,
  '0002_guests': guests,
  '0003_accounts': accounts,
  '0004_blocks': blocks,
  '0005_plain_names': plainNames,
  '0006_logo_contrast': logoContrast,
  '0007_chosen_order': chosenOrder,
  '0008_watermark_layout': watermarkLayout,
  '0009_outbox_files': outboxFiles,
  '0010_profile_fields': profileFields,
  '0011_big_screen': bigScreen,
  '0012_retry_helps': retryHelps,
  '0013_processing_budget': processingBudget,
  '0014_report_emails': reportEmails,
  '0015_failed_quick_files': failedQuickFiles,
  '0016_billing': billing,
  '0017_demo_payments': demoPayments,
  '0018_keeping': keeping,
  '0019_api_keys': apiKeys,
  '0020_admin_keys': adminKeys,
  '0021_webhooks': webhooks,
  '0022_payment_attempts': paymentAttempts,
  '0023_credit': credit,
  '0024_admin': admin,
  '0026_webhook_queue': webhookQueue,
  '0027_rates': rates,
  '0028_slow_webhooks': slowWebhooks,
  '0030_languages': languages,
  '0031_support': support,
  '0032_terms_version': termsVersion,
  '0033_backups': backups,
  '0034_storage_moves': storageMoves,
  '0035_integrity': integrity,
  '0036_secret_keys': secretKeys,
  '0037_operator_decisions': operatorDecisions,
  '0038_backup_state': backupState,
  '0039_refund_amounts': refundAmounts,
  '0040_installation': installation,
  '0041_money': money,
  '0042_erased_guests': erasedGuests,
  '0043_upload_hashes': uploadHashes,
  '0044_backup_checks': backupChecks,
  '0045_processing_turns': processingTurns,
  '0046_screen_images': screenImages,
  '0047_support_networks': supportNetworks,
  '0048_access': access,
  '0049_photo_counts': photoCounts,
  '0050_photo_changes': photoChanges,
  '0051_request_removal_emails': requestRemovalEmails,
  '0052_network_rates': networkRates,
  '0053_photo_archives': photoArchives,
  '0054_rate_windows': rateWindows,
  '0055_withdrawals_and_invoices': withdrawalsAndInvoices,
  '0056_events': events,
  '0057_guest_gallery': guestGallery,
  '0058_guest_photos': guestPhotos,
  '0059_event_grants': eventGrants,
  '0060_helpers': helpers,
  '0061_gallery_notices': galleryNotices,
}
