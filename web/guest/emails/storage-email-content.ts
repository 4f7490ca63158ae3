import type { Email, EmailContext } from '@keepsnap/contract/guest.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import type { RemovalEmail, RemovedEmail, StorageEmail, UsageEmail } from '@keepsnap/contract/storage-emails.ts'
import type { Format } from '../../lib/format.ts'
import type { Catalogue } from '../../messages/en.ts'
import type { EmailContent } from './email-content.ts'

/** What the sentences of an email are made with. */
export interface StorageEmailOptions {
  text: Catalogue['storageEmails']
  frame: EmailContext
  format: Pick<Format, 'count' | 'size'>
  formatDateTime: (iso: string) => string
}

export const isStorageEmail = (email: Email): email is StorageEmail =>
  email.kind === 'usage' || email.kind === 'removal' || email.kind === 'removed'

const pageUrl = ({ publicUrl }: EmailContext, page: string): string => new URL(page, publicUrl).href
const hostOf = ({ publicUrl }: EmailContext): string => new URL(publicUrl).host

/** An email about what a plan includes, or about photos that are removed because they do not fit into it. */
export function storageEmailContent(email: StorageEmail, options: StorageEmailOptions): EmailContent {
  const { format } = options
  // A number stays on the line of its unit.
  const size = (bytes: number): string => format.size(bytes).replaceAll(' ', '\u{a0}')
  const kept = { ...options, format: { count: format.count, size } }
  if (email.kind === 'removal') return removalContent(email, kept)
  if (email.kind === 'removed') return removedContent(email, kept)
  return email.subject === 'photos' ? photosContent(email, kept) : storageContent(email, kept)
}

const plansAction = ({ text: { usage }, frame }: StorageEmailOptions) => ({
  button: usage.plans,
  url: pageUrl(frame, pages.pricing),
})

function photosContent(
  { used, limit, isFull, planName, isLargestPlan, monthEndsAt }: UsageEmail,
  options: StorageEmailOptions,
): EmailContent {
  const { text, frame, format, formatDateTime } = options
  const { usage } = text
  const [usedCount, limitCount] = [format.count(used), format.count(limit)]
  const subject = isFull ? usage.photosUsed(limitCount) : usage.photosNearlyUsed(usedCount, limitCount)
  return {
    subject,
    preview: usage.preview(planName),
    heading: subject,
    paragraphs: [
      usage.photosLead(planName, limitCount),
      ...(monthEndsAt === null ? [] : [usage.photosUntil(formatDateTime(monthEndsAt))]),
      ...(isFull ? [usage.photosWait] : []),
      isLargestPlan ? usage.morePhotosThanAnyPlan(frame.operator.email) : usage.morePhotos,
    ],
    action: isLargestPlan ? { button: usage.settings, url: pageUrl(frame, pages.settings) } : plansAction(options),
    reason: usage.reason(hostOf(frame)),
  }
}

function storageContent(
  { used, limit, isFull, planName, isLargestPlan }: UsageEmail,
  options: StorageEmailOptions,
): EmailContent {
  const { text, frame, format } = options
  const { usage } = text
  const [usedSize, limitSize] = [format.size(used), format.size(limit)]
  const subject = isFull ? usage.storageFull(limitSize) : usage.storageNearlyFull(usedSize, limitSize)
  return {
    subject,
    preview: usage.preview(planName),
    heading: subject,
    paragraphs: [
      usage.storageLead(planName, limitSize, usedSize),
      ...(isFull ? [usage.storageWaits] : []),
      isLargestPlan ? usage.moreStorageThanAnyPlan(frame.operator.email) : usage.moreStorage,
    ],
    action: isLargestPlan ? { button: usage.gallery, url: pageUrl(frame, pages.gallery) } : plansAction(options),
    reason: usage.reason(hostOf(frame)),
  }
}

function removalContent(
  email: RemovalEmail,
  { text, frame, format, formatDateTime }: StorageEmailOptions,
): EmailContent {
  const { photos, bytes, storedBytes, planName, planBytes, removeAt, archive } = email
  const { removal } = text
  const [count, when] = [format.count(photos), formatDateTime(removeAt)]
  return {
    subject: removal.subject(photos, count, when),
    preview: removal.preview,
    heading: removal.heading(photos, count),
    paragraphs: [
      removal.lead(planName, format.size(planBytes), format.size(storedBytes)),
      removal.removed({ photos, count, size: format.size(bytes), when }),
      removal.keep(pageUrl(frame, pages.pricing)),
      archive ? removal.archive : removal.noArchive,
    ],
    action: archive
      ? { button: removal.download, url: archive.url, expiry: removal.expiry(formatDateTime(archive.expiresAt)) }
      : { button: removal.settings, url: pageUrl(frame, pages.settings) },
    reason: removal.reason(hostOf(frame)),
  }
}

function removedContent(
  { photos, bytes, planName, planBytes, restorableUntil }: RemovedEmail,
  { text: { removed }, frame, format, formatDateTime }: StorageEmailOptions,
): EmailContent {
  const [count, when] = [format.count(photos), formatDateTime(restorableUntil)]
  return {
    subject: removed.subject(photos, count),
    preview: removed.preview(when),
    heading: removed.heading(photos, count),
    paragraphs: [removed.lead(planName, format.size(planBytes), format.size(bytes)), removed.restore(when)],
    action: { button: removed.button, url: pageUrl(frame, pages.settings) },
    reason: removed.reason(hostOf(frame)),
  }
}
