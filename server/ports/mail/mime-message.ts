import { Readable } from 'node:stream'
import { domainToASCII } from 'node:url'
import { isEmail } from '@keepsnap/contract/emails.ts'
import type { SendMailOptions } from 'nodemailer'
import type { Attachment, Mailbox, Message } from './mail.ts'
import { throttledSlices, type EmailThrottle } from './throttle.ts'

// oxlint-disable-next-line no-control-regex -- control characters are what must not pass
const controlCharacter = /[\x00-\x1f\x7f\x85\u2028\u2029]/

function requireOneLine(text: string, fieldName: string): string {
  if (controlCharacter.test(text))
    throw new Error(`${fieldName} of an email contains a line break or a control character`)
  return text
}

/**
 * Text that people wrote, for a header. `=?` would begin an encoded word, which email programs decode: to line breaks, or to
 * characters that were removed before. An invisible character after `=` (word joiner) keeps it text.
 */
const headerText = (text: string, fieldName: string): string =>
  requireOneLine(text, fieldName).replaceAll('=?', '=\u2060?')

/** The address as it is sent, its domain in ASCII. Throws for anything but one plain address. */
export function plainAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const asciiAddress = `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`
  if (at < 1 || !isEmail(asciiAddress)) throw new Error('the recipient of an email is not a plain address')
  return asciiAddress
}

const mimeMailbox = ({ name = '', address }: Mailbox): { name: string; address: string } => ({
  name: headerText(name, 'a name'),
  address: plainAddress(address),
})

/** Opens the source when the first byte is read, and closes it when reading ends. */
async function* chunksOf({ open }: Attachment, emailThrottle: EmailThrottle): AsyncGenerator<Buffer> {
  try {
    yield* throttledSlices(await open(), emailThrottle)
  } catch (error) {
    throw new Error('an attachment of an email could not be read', { cause: error })
  }
}

/** The Message-ID of an email: the same for every attempt, until it was accepted. */
export const messageIdOf = ({ id, sentBefore, from }: Pick<Message, 'id' | 'sentBefore' | 'from'>): string =>
  `<${id}${sentBefore ? `.${sentBefore.getTime()}` : ''}@${plainAddress(from.address).split('@')[1]}>`

/** An email as nodemailer expects it; both implementations send these bytes. Throws for invalid emails. */
export function mimeMessage(message: Message, emailThrottle: EmailThrottle): SendMailOptions {
  if (!/^[0-9A-Za-z]{22}$/.test(message.id)) throw new Error('the id of an email is not 22 characters of base 62')
  const headers = Object.entries({
    // Automatic responders do not answer emails with these: RFC 3834, and Microsoft's own header.
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    ...message.headers,
  })
  return {
    messageId: messageIdOf(message),
    from: mimeMailbox(message.from),
    to: mimeMailbox(message.to),
    ...(message.replyTo && { replyTo: mimeMailbox(message.replyTo) }),
    subject: headerText(message.subject, 'the subject'),
    text: message.text,
    html: message.html,
    headers: headers.map(([key, value]) => ({
      key: requireOneLine(key, 'a header'),
      value: requireOneLine(value, 'a header'),
    })),
    attachments: (message.attachments ?? []).map((attachment) => ({
      filename: requireOneLine(attachment.filename, 'a file name'),
      contentType: requireOneLine(attachment.type, 'a media type'),
      ...(attachment.cid === undefined
        ? { contentDisposition: 'attachment' as const }
        : { contentDisposition: 'inline' as const, cid: requireOneLine(attachment.cid, 'a Content-ID') }),
      content: Readable.from(chunksOf(attachment, emailThrottle)),
    })),
    // Nothing in an email may make us read files or fetch URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
  }
}
