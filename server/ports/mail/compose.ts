import { Readable } from 'node:stream'
import { domainToASCII } from 'node:url'
import { isEmail } from '@keepsnap/contract/emails.ts'
import type { SendMailOptions } from 'nodemailer'
import type { Attachment, Mailbox, Message } from './mail.ts'
import { paced, type Pace } from './pace.ts'

// oxlint-disable-next-line no-control-regex -- control characters are what must not pass
const control = /[\x00-\x1f\x7f\x85\u2028\u2029]/

function oneLine(text: string, what: string): string {
  if (control.test(text)) throw new Error(`${what} of a letter holds a line break or a control character`)
  return text
}

/** The address as it is written on the wire. Throws for anything but one plain address. */
export function plainAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const plain = `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`
  if (at < 1 || !isEmail(plain)) throw new Error('a letter is addressed to something that is no plain address')
  return plain
}

const mailbox = ({ name = '', address }: Mailbox): { name: string; address: string } => ({
  name: oneLine(name, 'a name'),
  address: plainAddress(address),
})

/** Opens the source when somebody reads, and closes it when nobody does any more. */
async function* chunksOf({ open }: Attachment, pace: Pace): AsyncGenerator<Buffer> {
  try {
    yield* paced(await open(), pace)
  } catch (error) {
    throw new Error('an attachment of a letter could not be read', { cause: error })
  }
}

/** The Message-ID of a letter: the same for every attempt. */
export const messageIdOf = ({ id, from }: Pick<Message, 'id' | 'from'>): string =>
  `<${id}@${plainAddress(from.address).split('@')[1]}>`

/** A letter as nodemailer takes it; both implementations send these bytes. Throws for letters that are wrong. */
export function compose(message: Message, pace: Pace): SendMailOptions {
  if (!/^[0-9A-Za-z]{22}$/.test(message.id)) throw new Error('a letter needs one of our ids')
  const headers = Object.entries({
    // Answering machines leave these alone, RFC 3834 and Microsoft's own.
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    ...message.headers,
  })
  return {
    messageId: messageIdOf(message),
    from: mailbox(message.from),
    to: mailbox(message.to),
    subject: oneLine(message.subject, 'the subject'),
    text: message.text,
    html: message.html,
    headers: headers.map(([key, value]) => ({ key: oneLine(key, 'a header'), value: oneLine(value, 'a header') })),
    attachments: (message.attachments ?? []).map((attachment) => ({
      filename: oneLine(attachment.filename, 'a file name'),
      contentType: oneLine(attachment.type, 'a media type'),
      ...(attachment.cid === undefined
        ? { contentDisposition: 'attachment' as const }
        : { contentDisposition: 'inline' as const, cid: oneLine(attachment.cid, 'the name of a picture') }),
      content: Readable.from(chunksOf(attachment, pace)),
    })),
    // Nothing in a letter may make us read files or fetch addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
  }
}
