import type { Email, EmailContext, EmailLogo } from '@keepsnap/contract/guest.ts'
import { pages } from '@keepsnap/contract/pages.ts'
import type { Catalogue } from '../../messages/en.ts'

/** The sentences of an email, for its HTML and its plain text. */
export interface EmailContent {
  subject: string
  /** Shown after the subject in the inbox. */
  preview: string
  heading: string
  paragraphs: readonly string[]
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
}

/** Picks the sentences of an email from the catalogue and fills in its values. */
export function emailContent(email: Email, { text, frame, formatDateTime }: ContentOptions): EmailContent {
  const host = new URL(frame.publicUrl).host
  const withLink = (emailText: LinkText, url: string, expiresAt: string): EmailContent => ({
    ...headlineOf(emailText),
    paragraphs: [emailText.lead],
    action: { button: emailText.button, url, expiry: emailText.expiry(formatDateTime(expiresAt)) },
    reason: emailText.reason(host),
  })
  switch (email.kind) {
    case 'photo': {
      const { lead, attached, file, unsubscribe } = text.photo
      return {
        ...withLink(text.photo, email.url, email.expiresAt),
        paragraphs: [email.attached ? `${lead} ${attached}` : lead],
        file: `${file}: ${email.filename}`,
        unsubscribe: { ...unsubscribe, url: email.stopUrl },
        logo: email.logo,
      }
    }
    case 'reset':
    case 'archive':
      return withLink(text[email.kind], email.url, email.expiresAt)
    case 'verify':
      return withLink(email.changed ? text.change : text.verify, email.url, email.expiresAt)
    case 'password-changed': {
      const emailText = text.passwordChanged
      const url = new URL(pages.forgotPassword, frame.publicUrl).href
      const paragraphs = [emailText.lead(formatDateTime(email.at)), emailText.hint]
      return {
        ...headlineOf(emailText),
        paragraphs,
        action: { button: emailText.button, url },
        reason: emailText.reason(host),
      }
    }
    case 'email-changed': {
      const emailText = text.emailChanged
      const paragraphs = [
        emailText.lead(formatDateTime(email.at), email.newEmail ?? ''),
        emailText.hint(frame.operator.email),
      ]
      return { ...headlineOf(emailText), paragraphs, reason: emailText.reason(host) }
    }
    case 'account-deleted': {
      const emailText = text.accountDeleted
      const paragraphs = [emailText.lead(formatDateTime(email.at)), emailText.hint]
      return { ...headlineOf(emailText), paragraphs, reason: emailText.reason(host) }
    }
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
