import type {
  Email,
  EmailContext,
  EmailLogo,
  NoticeEmail,
  PhotoEmail,
  PlanEmail,
  ReportEmail,
  SupportEmail,
  SupportMessageEmail,
} from '@keepsnap/contract/rendering.ts'
import type {
  DisputeEmail,
  OperatorDecisionEmail,
  RemovalEmail,
  RemovedEmail,
  StorageEmail,
  UsageEmail,
} from '@keepsnap/contract/emails.ts'
import { pages } from '@keepsnap/contract/site.ts'
import type { WebhookEmail } from '@keepsnap/contract/integrations.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { RequestRemovalEmail } from '@keepsnap/contract/guests.ts'
import type { Catalogue } from '../messages/en.ts'
import type { Format } from '../lib/format.ts'
import { operatorSupport } from '../messages/en/operators.ts'

interface PlanContentOptions {
  text: Catalogue['emails']['plan']
  frame: EmailContext
  formatDate: (iso: string) => string
  formatPrice: (cents: number) => string
}

interface Sentences {
  subject: string
  preview: string
  heading: string
  paragraphs: readonly string[]
}

/** The sentences of an email about a plan. */
function planEmailContent(email: PlanEmail, options: PlanContentOptions) {
  const { text, frame } = options
  const sentences = sentencesOf(email, options)
  return {
    ...sentences,
    paragraphs: email.isDemo ? [...sentences.paragraphs, text.demo] : sentences.paragraphs,
    action: {
      button: email.kind === 'plan-ended' || email.kind === 'first-payment-failed' ? text.pricing : text.settings,
      url: email.url,
    },
    reason: text.reason(new URL(frame.publicUrl).host),
  }
}

function sentencesOf(email: PlanEmail, { text, formatDate, formatPrice }: PlanContentOptions): Sentences {
  const { planName: plan, priceCents, interval, at, amountCents, coveredBy } = email
  const price = (interval === 'month' ? text.perMonth : text.perYear)(formatPrice(priceCents))
  const date = at === null ? '' : formatDate(at)
  const amount = formatPrice(amountCents ?? 0)
  switch (email.kind) {
    case 'plan-started':
    case 'plan-changed': {
      const { subject, heading, preview, lead, hint } = email.kind === 'plan-started' ? text.started : text.changed
      const headline = { subject: subject(plan), heading: heading(plan) }
      if (coveredBy === null) return { ...headline, preview, paragraphs: [lead(plan, price, date), hint] }
      const covered =
        email.kind === 'plan-started' ? text.started.covered(plan, coveredBy) : text.changed.covered(coveredBy)
      return { ...headline, preview: text.started.coveredPreview, paragraphs: [lead(plan, price, date), covered] }
    }
    case 'first-payment-failed': {
      const { lead, hint, ...headline } = text.firstPaymentFailed
      return { ...headline, paragraphs: [lead(plan, formatPrice(priceCents)), hint] }
    }
    case 'payment-failed': {
      const { lead, until, hint, demoHint, ...headline } = text.paymentFailed
      const advice = `${until(date)} ${email.isDemo ? demoHint : hint}`
      return { ...headline, paragraphs: [lead(plan, formatPrice(priceCents)), advice] }
    }
    case 'plan-cancelled': {
      const { lead, hint, ...headline } = text.cancelled
      return { ...headline, paragraphs: [lead(plan, date), hint] }
    }
    case 'plan-resumed': {
      const { lead, ...headline } = text.resumed
      return { ...headline, paragraphs: [lead(plan, price, date)] }
    }
    case 'plan-ended': {
      const { subject, heading, preview, lead, hint } = text.ended
      return { subject: subject(plan), heading: heading(plan), preview, paragraphs: [lead, hint] }
    }
    case 'payment-refunded': {
      const { subject, heading, preview, lead, hint } = text.refunded
      return { subject, heading, preview: preview(amount), paragraphs: [lead(amount), hint] }
    }
  }
}

/** The sentences of an email, for its HTML and its plain text. */
export interface EmailContent {
  subject: string
  /** Shown after the subject in the inbox. */
  preview: string
  heading: string
  /** Who sent it, for the guest. */
  sender?: string
  /** The picture that it is about, attached under `cid`; sizes in pixels. */
  picture?: { cid: string; width: number; height: number; alt: string }
  paragraphs: readonly string[]
  /** What somebody wrote: a title of one line, and a text of several. */
  quote?: { title: string; text: string }
  /** A sentence after it. */
  note?: string
  /** The email's one link. */
  action?: { button: string; url: string; expiry?: string }
  /** Names the attachment in plain text. */
  file?: string
  /** Why the recipient gets this email. */
  reason: string
  /** How to unsubscribe from such emails. */
  unsubscribe?: { ignore: string; link: string; url: string }
  logo?: EmailLogo | null
}

interface ContentOptions {
  text: Catalogue['emails']
  frame: EmailContext
  formatDateTime: (iso: string) => string
  /** The day alone, with its year. */
  formatDate: (iso: string) => string
  formatPrice: (cents: number) => string
  formatCount: (count: number) => string
}

/** Those about storage and support, and those of and to operators, have files of their own. */
type OtherEmail = Exclude<Email, StorageEmail | SupportEmail | OperatorDecisionEmail | DisputeEmail>

/** Picks the sentences of an email from the catalogue and fills in its values. */
export function emailContent(email: OtherEmail, options: ContentOptions): EmailContent {
  const { text, frame, formatDateTime } = options
  const host = new URL(frame.publicUrl).host
  const withLink = (emailText: LinkText, url: string, expiresAt: string): EmailContent => ({
    ...headlineOf(emailText),
    paragraphs: [emailText.lead],
    action: { button: emailText.button, url, expiry: emailText.expiry(formatDateTime(expiresAt)) },
    reason: emailText.reason(host),
  })
  if ('planName' in email) return planEmailContent(email, { ...options, text: text.plan })
  switch (email.kind) {
    case 'photo': {
      const subject = text.photo.subject(email.brandName)
      return {
        ...withLink({ ...text.photo, subject }, email.url, email.expiresAt),
        ...photoContent(email, text.photo),
      }
    }
    case 'reset':
    case 'archive':
      return withLink(text[email.kind], email.url, email.expiresAt)
    case 'verify':
      return withLink(email.changed ? text.change : text.verify, email.url, email.expiresAt)
    case 'report':
    case 'report-digest':
      return reportContent(email, text, host)
    case 'password-changed':
    case 'new-sign-in': {
      const emailText = email.kind === 'new-sign-in' ? text.newSignIn : text.passwordChanged
      const url = new URL(pages.forgotPassword, frame.publicUrl).href
      const lead =
        email.kind === 'new-sign-in'
          ? [
              text.newSignIn.lead(formatDateTime(email.at), email.device ? ` (${email.device})` : ''),
              text.newSignIn.signOut(new URL(pages.settings, frame.publicUrl).href),
            ]
          : [text.passwordChanged.lead(formatDateTime(email.at))]
      const paragraphs = [...lead, emailText.hint]
      return {
        ...headlineOf(emailText),
        paragraphs,
        action: { button: emailText.button, url },
        reason: emailText.reason(host),
      }
    }
    case 'api-key-created':
      return accessContent(email, text.apiKeyCreated, options)
    case 'webhook-created':
      return accessContent(email, text.webhookCreated, options)
    case 'email-changed':
      return emailChangedContent(email, options)
    case 'test': {
      const paragraphs = [text.test.lead(formatDateTime(email.at))]
      return { ...headlineOf(text.test), paragraphs, reason: text.test.reason(host) }
    }
    case 'webhook-disabled':
      return webhookContent(email, options)
    case 'request-removal':
      return requestRemovalContent(email, options)
    case 'account-deleted':
      return accountDeletedContent(email, options)
  }
}

/** What only an email with a photo has. */
const photoContent = (
  { brandName, thumbnail, attached, filename, stopUrl, logo }: PhotoEmail,
  text: Catalogue['emails']['photo'],
): Partial<EmailContent> => ({
  sender: text.sender(brandName),
  ...(thumbnail && { picture: { ...thumbnail, alt: text.pictureAlt } }),
  paragraphs: [attached ? `${text.lead} ${text.attached}` : text.lead],
  file: text.file(filename),
  unsubscribe: { ...text.unsubscribe, url: stopUrl },
  logo,
})

function emailChangedContent(
  { at, newEmail = '' }: NoticeEmail,
  { text: { emailChanged }, frame, formatDateTime }: ContentOptions,
): EmailContent {
  const paragraphs = [emailChanged.lead(formatDateTime(at), newEmail), emailChanged.hint(frame.operator.email)]
  const host = new URL(frame.publicUrl).host
  return { ...headlineOf(emailChanged), paragraphs, reason: emailChanged.reason(host) }
}

function accessContent(
  { at, name = '' }: NoticeEmail,
  emailText: Catalogue['emails']['apiKeyCreated'],
  { text: { accessCreated }, frame, formatDateTime }: ContentOptions,
): EmailContent {
  return {
    ...headlineOf(emailText),
    paragraphs: [emailText.lead(formatDateTime(at), name), accessCreated.hint],
    action: { button: accessCreated.button, url: new URL(pages.forgotPassword, frame.publicUrl).href },
    reason: accessCreated.reason(new URL(frame.publicUrl).host),
  }
}

function accountDeletedContent(
  { at }: NoticeEmail,
  { text: { accountDeleted }, frame, formatDateTime }: ContentOptions,
): EmailContent {
  const paragraphs = [accountDeleted.lead(formatDateTime(at)), accountDeleted.hint]
  const host = new URL(frame.publicUrl).host
  return { ...headlineOf(accountDeleted), paragraphs, reason: accountDeleted.reason(host) }
}

function webhookContent(
  { host, failingSince, url }: WebhookEmail,
  { text: { webhookDisabled: emailText }, frame, formatDateTime }: ContentOptions,
): EmailContent {
  return {
    ...headlineOf({ ...emailText, subject: emailText.subject(host) }),
    paragraphs: [emailText.lead(host, formatDateTime(failingSince)), emailText.hint],
    action: { button: emailText.button, url },
    reason: emailText.reason(new URL(frame.publicUrl).host),
  }
}

function requestRemovalContent(
  { addresses, firstAt, url, settingsUrl }: RequestRemovalEmail,
  { text: { requestRemoval: emailText }, frame, formatDate, formatCount }: ContentOptions,
): EmailContent {
  const [count, day] = [formatCount(addresses), formatDate(firstAt)]
  const days = { kept: limits.requestDays, soon: limits.requestRemovalDays }
  return {
    subject: emailText.subject(count),
    preview: emailText.preview(day),
    heading: emailText.heading,
    paragraphs: [emailText.lead(count, day, days), emailText.hint],
    action: { button: emailText.button, url },
    reason: emailText.reason(new URL(frame.publicUrl).host),
    unsubscribe: { ...emailText.unsubscribe, url: settingsUrl },
  }
}

function reportContent(
  { url, photos, photo }: ReportEmail,
  { report }: Catalogue['emails'],
  host: string,
): EmailContent {
  const one =
    photo && report.lead(photo.filename, photo.reasons.map((reason) => report.reasons[reason]).join(report.and))
  return {
    subject: one === null ? report.subjectMany(photos) : report.subject,
    preview: report.preview,
    heading: one === null ? report.headingMany(photos) : report.heading,
    paragraphs: one === null ? [report.leadMany, report.hintMany] : [one, report.hint],
    action: { button: report.button, url },
    reason: report.reason(host),
  }
}

type Headline = Pick<EmailContent, 'subject' | 'preview' | 'heading'>
interface LinkText extends Headline {
  lead: string
  button: string
  expiry: (when: string) => string
  reason: (host: string) => string
}

const headlineOf = ({ subject, preview, heading }: Headline): Headline => ({ subject, preview, heading })

export const isOperatorDecisionEmail = (email: Email): email is OperatorDecisionEmail =>
  email.kind === 'photo-hidden' || email.kind === 'photo-shown'

/** The email to an operator about a disputed payment. */
export function disputeEmailContent(
  { account, amountCents, reason, at, respondBy, url }: DisputeEmail,
  {
    text: { disputed: text },
    frame,
    formatDateTime,
    formatPrice,
  }: {
    text: Catalogue['operatorEmails']
    frame: EmailContext
    formatDateTime: (iso: string) => string
    formatPrice: (cents: number) => string
  },
): EmailContent {
  const amount = formatPrice(amountCents)
  return {
    subject: text.subject(amount),
    preview: text.preview,
    heading: text.heading,
    paragraphs: [
      text.lead(account, amount, formatDateTime(at)),
      text.why(reason.replaceAll('_', ' ')),
      ...(respondBy === null ? [] : [text.respond(formatDateTime(respondBy))]),
      text.ends,
    ],
    action: { button: text.button, url },
    reason: text.reason(new URL(frame.publicUrl).host),
  }
}

/** The email to the owner of a photo that an operator hid from guests, or shows again. */
export function operatorEmailContent(
  email: OperatorDecisionEmail,
  options: { text: Catalogue['operatorEmails']; frame: EmailContext; formatDateTime: (iso: string) => string },
): EmailContent {
  const { kind, filename, at, message, stillHidden, url } = email
  const { hidden, shown, message: title, reason } = options.text
  const host = new URL(options.frame.publicUrl).host
  const leadArguments = [filename, host, options.formatDateTime(at)] as const
  const shared = { reason: reason(host), ...(message !== null && { quote: { title, text: message } }) }
  if (kind === 'photo-hidden') {
    const { subject, preview, heading, lead, why, hint, button } = hidden
    const paragraphs = message === null ? [lead(...leadArguments), why] : [lead(...leadArguments)]
    return { subject, preview, heading, paragraphs, note: hint, action: { button, url }, ...shared }
  }
  const { subject, preview, heading, lead, leadStillHidden, button } = shown
  const paragraphs = stillHidden ? [leadStillHidden(...leadArguments), shown.stillHidden] : [lead(...leadArguments)]
  return { subject, preview, heading, paragraphs, action: { button, url }, ...shared }
}

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

// Those who answer messages to support read English.

export const isSupportEmail = (email: Email): email is SupportEmail =>
  email.kind === 'support-message' || email.kind === 'support-received'

/** The email to support about a message, or the confirmation to its sender. */
export function supportEmailContent(
  email: SupportEmail,
  options: { text: Catalogue['supportEmails']; frame: EmailContext; formatDateTime: (iso: string) => string },
): EmailContent {
  const host = new URL(options.frame.publicUrl).host
  if (email.kind === 'support-message') return messageContent(email, host)
  const { subject, preview, heading, lead, answer, reason } = options.text.received
  const paragraphs = [lead(host, options.formatDateTime(email.at)), answer]
  return { subject, preview, heading, paragraphs, reason: reason(host) }
}

/** The marks stand first in the subject, so that rules of a mail program can sort by them. */
function messageContent(email: SupportMessageEmail, host: string): EmailContent {
  const { email: text } = operatorSupport
  const marks = [...(email.suspected ? [text.marks.suspected] : []), ...(email.priority ? [text.marks.priority] : [])]
  return {
    subject: [...marks, email.subject].join(' '),
    preview: email.message.slice(0, 120),
    heading: text.heading,
    paragraphs: [
      text.from(email.name, email.address),
      ...(email.priority ? [text.priority] : []),
      ...(email.suspected ? [text.suspected] : []),
    ],
    quote: { title: email.subject, text: email.message },
    note: text.hint,
    action: { button: text.button, url: email.url },
    reason: text.reason(host),
  }
}
