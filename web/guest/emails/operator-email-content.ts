import type { Email, EmailContext } from '@keepsnap/contract/guest.ts'
import type { DisputeEmail, OperatorDecisionEmail } from '@keepsnap/contract/operator-emails.ts'
import type { Catalogue } from '../../messages/en.ts'
import type { EmailContent } from './email-content.ts'

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
