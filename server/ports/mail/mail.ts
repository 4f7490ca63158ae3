import { Readable } from 'node:stream'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { domainToASCII } from 'node:url'
import type { SendMailOptions } from 'nodemailer'
import { isEmail } from '@keepsnap/contract/form-rules.ts'

/** A file that goes with an email. */
export interface Attachment {
  /** Shown to the reader; one line. */
  filename: string
  /** Media type. */
  type: string
  /** For a picture that the email itself shows: its Content-ID, the name after `cid:` in the HTML. */
  cid?: string
  /** Opens the bytes when they are to be sent; called at most once per `send`. A rejection fails the attempt. */
  open(): Promise<Readable>
}

/** One mailbox. The address is a field of an object, never part of a line that a mailer could read as several. */
export interface Mailbox {
  name?: string
  /** One plain email address; its domain may be written in Unicode. */
  address: string
}

/**
 * An email to be sent. Attempts at the same `id` have the same Message-ID. One that was accepted and is to be sent again gets
 * another, because mailboxes show emails with the same one only once.
 */
export interface Message {
  /** 22 characters of base 62. */
  id: string
  /** When it was accepted the last time, if it is sent again. */
  sentBefore?: Date | null
  from: Mailbox
  to: Mailbox
  /** Whom answers go to; otherwise the sender. */
  replyTo?: Mailbox
  /** One line. */
  subject: string
  html: string
  text: string
  /** More headers; one line each. */
  headers?: Readonly<Record<string, string>>
  attachments?: readonly Attachment[]
  /** May wait when there is little room for emails that are kept as files. */
  mayWait?: boolean
}

/**
 * The result of one attempt. Reasons are sentences for people, without host names.
 * `sent`, with `fileBytes` when the email is kept as a file.
 * `refused`: permanently. `tooLarge`: because of its size; a smaller email may be accepted.
 * `retry`: a temporary or unknown failure. `unreachable`: the mail server never saw the email, so all others wait too.
 * `isFull`: there is no room for an email that may wait. `detail`: what the log says besides; may name hosts.
 */
export type SendResult =
  | { kind: 'sent'; fileBytes?: number }
  | { kind: 'refused'; reason: string; tooLarge: boolean }
  | { kind: 'retry'; reason: string; unreachable: boolean; isFull?: true; detail?: string }

/** Sends emails: through a mail server, or into a folder. */
export interface Mail {
  readonly kind: 'smtp' | 'outbox'
  /** Larger files are not attached; the email has a link to them. */
  readonly maxAttachmentBytes: number
  /**
   * One attempt, bounded in time. Rejects only for emails that are invalid themselves (a bad address, a header of two
   * lines, an attachment that cannot be opened).
   */
  send(message: Message): Promise<SendResult>
  /** Deletes the emails with these ids that are still stored here. Emails that were sent are out of reach; no error. */
  deleteStored(ids: readonly string[]): Promise<void>
  /** The bytes of emails that are kept as files; absent where none are. */
  storedBytes?(): Promise<number>
  /** Whether emails can be sent now, those that may wait too; includes signing in to the mail server. Never rejects. */
  check(): Promise<boolean>
  close(): Promise<void>
}

const emailSliceBytes = 64 * 1024
const measuringWindowMs = 100
/** Utilization of the event loop above which emails slow down. */
const busyUtilization = 0.6
const minPauseMs = 4
const maxPauseMs = 250

/** Resolves when the caller may do one more slice of work. */
type EmailThrottle = () => Promise<void>

/**
 * Encoding and sending a photo blocks the event loop for tens of milliseconds. Emails can wait, guests cannot: all callers
 * of one throttle pause twice as long while the event loop is busy, whatever the cause, and half as long when it is not.
 */
export function createEmailThrottle(): EmailThrottle {
  let lastUtilization = performance.eventLoopUtilization()
  let measuredAt = performance.now()
  let pauseMs = 0
  return async () => {
    if (performance.now() - measuredAt > measuringWindowMs) {
      const currentUtilization = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(currentUtilization, lastUtilization)
      if (utilization > busyUtilization) pauseMs = Math.min(Math.max(2 * pauseMs, minPauseMs), maxPauseMs)
      else pauseMs = pauseMs > 1 ? pauseMs / 2 : 0
      ;[lastUtilization, measuredAt] = [currentUtilization, performance.now()]
    }
    await wait(pauseMs)
  }
}

/** The same bytes in slices, each after the throttle allows it. */
export async function* throttledSlices(
  source: AsyncIterable<Buffer>,
  emailThrottle: EmailThrottle,
): AsyncGenerator<Buffer> {
  for await (const emailChunk of source) {
    for (let offset = 0; offset < emailChunk.length; offset += emailSliceBytes) {
      await emailThrottle()
      yield emailChunk.subarray(offset, offset + emailSliceBytes)
    }
  }
}

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
