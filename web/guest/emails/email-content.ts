import type { Email, EmailContext, EmailLogo, NoticeEmail, PhotoEmail, ReportEmail } from '@keepsnap/contract/guest.ts'
import type { DisputeEmail, OperatorDecisionEmail } from '@keepsnap/contract/operator-emails.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import type { SupportEmail } from '@keepsnap/contract/support-answers.ts'
import type { StorageEmail } from '@keepsnap/contract/storage-emails.ts'
import type { WebhookEmail } from '@keepsnap/contract/webhook-events.ts'
import type { Catalogue } from '../../messages/en.ts'
import { limits } from '@keepsnap/contract/limits.ts'
import type { RequestRemovalEmail } from '@keepsnap/contract/requests.ts'
import { planEmailContent } from './plan-email-content.ts'

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
