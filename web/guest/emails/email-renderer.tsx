import { renderToStaticMarkup } from 'react-dom/server'
import type { Email, EmailContext, GuestRenderer } from '@keepsnap/contract/guest.ts'
import { emails } from '../../messages/en/emails.ts'
import { operatorEmails } from '../../messages/en/operator-emails.ts'
import { storageEmails } from '../../messages/en/storage-emails.ts'
import { LanguageProvider, type LocaleData } from '../../lib/i18n.tsx'
import { supportEmails } from '../../messages/en/support-emails.ts'
import { emailContent, type EmailContent } from './email-content.ts'
import { EmailBody } from './EmailBody.tsx'
import { EmailLayout } from './EmailLayout.tsx'
import type { FormatDateTime } from '../zoned-date-time.ts'
import { disputeEmailContent, isOperatorDecisionEmail, operatorEmailContent } from './operator-email-content.ts'
import { isStorageEmail, storageEmailContent } from './storage-email-content.ts'
import { isSupportEmail, supportEmailContent } from './support-email-content.ts'

// A value with line breaks could otherwise add lines of its own to the plain text.
const singleLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

/** In plain text, the mark before each line keeps a quoted text apart from ours. */
const quotedLines = ({ title, text }: NonNullable<EmailContent['quote']>): string[] =>
  [title, '', ...text.split('\n')].map((line) => `> ${singleLine(line)}`.trimEnd())

/** The content as plain text; `text` has the sentences that every email ends with. */
function plainText(content: EmailContent, { operator }: EmailContext, text: typeof emails): string {
  const { heading, sender, paragraphs, quote, note, action, file, reason, unsubscribe } = content
  const footerDetails = [action?.expiry, file].filter((line) => line !== undefined).map(singleLine)
  return [
    heading,
    ...(sender === undefined ? [] : [singleLine(sender)]),
    '',
    ...paragraphs.flatMap((paragraph) => [singleLine(paragraph), '']),
    ...(quote ? [...quotedLines(quote), ''] : []),
    ...(note === undefined ? [] : [note, '']),
    ...(action ? [singleLine(action.url), ''] : []),
    ...(footerDetails.length > 0 ? [...footerDetails, ''] : []),
    '-- ',
    reason,
    '',
    ...(unsubscribe
      ? [unsubscribe.ignore, '', text.beforeLink(unsubscribe.link), singleLine(unsubscribe.url), '']
      : []),
    text.operator(singleLine(operator.name)),
    singleLine(operator.address),
    singleLine(operator.email),
    '',
  ].join('\n')
}

/** Returns a function that renders emails in one language, as HTML and as plain text with the same content. */
export function createEmailRenderer(
  language: LocaleData,
  { formatDateTime, formatDate }: Record<'formatDateTime' | 'formatDate', FormatDateTime>,
): GuestRenderer['renderEmail'] {
  const text = language.text?.emails ?? emails
  const storageText = language.text?.storageEmails ?? storageEmails
  const operatorText = language.text?.operatorEmails ?? operatorEmails
  const supportText = language.text?.supportEmails ?? supportEmails
  const contentOf = (email: Email, frame: EmailContext): EmailContent => {
    const options = { frame, formatDateTime: (iso: string) => formatDateTime(iso, frame.timeZone) }
    if (isStorageEmail(email))
      return storageEmailContent(email, { ...options, text: storageText, format: language.format })
    if (isSupportEmail(email)) return supportEmailContent(email, { ...options, text: supportText })
    if (isOperatorDecisionEmail(email)) return operatorEmailContent(email, { ...options, text: operatorText })
    if (email.kind === 'payment-disputed')
      return disputeEmailContent(email, { ...options, text: operatorText, formatPrice: language.format.price })
    return emailContent(email, {
      ...options,
      text,
      formatDate: (iso) => formatDate(iso, frame.timeZone),
      formatPrice: language.format.price,
      formatCount: language.format.count,
    })
  }

  return (email, frame) => {
    const content = contentOf(email, frame)
    const html = renderToStaticMarkup(
      <LanguageProvider language={language}>
        <EmailLayout lang={language.tag} content={content} frame={frame}>
          <EmailBody {...content} />
        </EmailLayout>
      </LanguageProvider>,
    )
    const { subject, sender } = content
    return {
      subject: singleLine(subject),
      ...(sender !== undefined && { senderName: singleLine(sender) }),
      html: `<!doctype html>${html}`,
      text: plainText(content, frame, text),
    }
  }
}
