import type { Email, EmailContext } from '@keepsnap/contract/guest.ts'
import type { SupportEmail, SupportMessageEmail } from '@keepsnap/contract/support-answers.ts'
import type { Catalogue } from '../../messages/en.ts'
// Those who answer messages to support read English.
import { operatorSupport } from '../../messages/en/operator-support.ts'
import type { EmailContent } from './email-content.ts'

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
