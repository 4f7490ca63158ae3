import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import { emailLimits } from '@keepsnap/contract/limits.ts'
import { createEmailThrottle, type Mail, mimeMessage, type SendResult } from './mail.ts'

/** The mail server, and how long it may take. */
export interface SmtpOptions {
  host: string
  port: number
  secure: boolean
  user: string | undefined
  secretPassword: string | undefined
  /** Certificates (PEM) of authorities that are trusted; undefined: those of Node. */
  certificates?: string[] | undefined
  /** How we introduce ourselves: a domain name. */
  name: string
  /** Milliseconds; shorter in tests. */
  timeouts?: { connect: number; greeting: number; silence: number; email: number }
}

/** Emails that one node sends at a time. */
const maxConnections = 5
const defaultTimeouts = { connect: 10_000, greeting: 15_000, silence: 60_000, email: 120_000 }
const connectionIdleMs = 15_000

const isLoopback = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host)

const smtpErrorOf = (error: unknown): SmtpError => (error instanceof Error ? error : {})

/**
 * Sends through a mail server over a pool of connections. STARTTLS is used when offered, and required before a password is
 * sent to another machine; the certificate must be valid unless the server is on this machine.
 */
export function smtpMail(options: SmtpOptions): Mail {
  const { host, port, secure, user, secretPassword, name, certificates, timeouts = defaultTimeouts } = options
  const begunEmails = new WeakSet<object>()
  const emailThrottle = createEmailThrottle()
  const smtpTransport = createTransport({
    pool: true,
    host,
    port,
    secure,
    name,
    ...(user !== undefined && { auth: { user, pass: secretPassword ?? '' } }),
    requireTLS: user !== undefined && !secure && !isLoopback(host),
    tls: {
      rejectUnauthorized: !isLoopback(host),
      ...(isIP(host) ? {} : { servername: host }),
      ...(certificates && { ca: certificates }),
    },
    maxConnections,
    maxMessages: 200,
    // The email's row decides when it is tried again, not the pool.
    maxRequeues: 0,
    idleTimeout: connectionIdleMs,
    connectionTimeout: timeouts.connect,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.silence,
    dnsTimeout: timeouts.connect,
  })
  // A connection that breaks while idle fails no email; without a listener the error would end the program.
  smtpTransport.on('error', () => {})
  smtpTransport.use('stream', (mail, done) => {
    mail.message.processFunc((bytes) => {
      if (mail.data.signal) begunEmails.add(mail.data.signal)
      return bytes
    })
    done()
  })

  return {
    kind: 'smtp',
    maxAttachmentBytes: emailLimits.attachBytes,
    async send(message) {
      await emailThrottle()
      const emailDeadline = AbortSignal.timeout(timeouts.email)
      try {
        await smtpTransport.sendMail({ ...mimeMessage(message, emailThrottle), signal: emailDeadline })
        return { kind: 'sent' }
      } catch (error) {
        const sendResult = classifyFailure(smtpErrorOf(error), begunEmails.has(emailDeadline))
        if (!sendResult) throw error
        return sendResult
      }
    },
    async deleteStored() {},
    async check() {
      try {
        return await smtpTransport.verify()
      } catch {
        return false
      }
    },
    async close() {
      smtpTransport.close()
    },
  }
}

/** Fields of the errors that nodemailer throws. */
export interface SmtpError {
  code?: string | undefined
  /** The code of the error below, such as Node's for a certificate. */
  originalCode?: string | undefined
  message?: string | undefined
  command?: string | undefined
  response?: string | undefined
  responseCode?: number | undefined
}

const unknownAddress = 'This address does not exist.'
const noMail = 'This domain does not accept email.'
const mailboxFull = 'The mailbox is full.'
const tooLarge = 'The email is too large for this mailbox.'
const rejected = 'The receiving server rejected the message.'
export const tryLater = 'The mail server asks to try again later.'
/** Of an email that a later attempt sends: the reply of a server that uses greylisting, or limits how much it takes. */
export const receiverAsksToWait = 'The receiving server asks to wait. The email is tried again.'

/** Sentences for a photo's owner, by subject and detail of enhanced status codes (RFC 3463, RFC 7505). */
const reasonByEnhancedCode: Record<string, string> = {
  '1.0': unknownAddress,
  '1.1': unknownAddress,
  '1.2': noMail,
  '1.3': unknownAddress,
  '1.6': 'This address has moved.',
  '1.7': 'The mail server does not accept the sender.',
  '1.8': 'The mail server does not accept the sender.',
  '1.10': noMail,
  '2.0': 'The mailbox cannot be used.',
  '2.1': 'The mailbox is disabled.',
  '2.2': mailboxFull,
  '2.3': tooLarge,
  '3.4': tooLarge,
  '4.1': 'The receiving server does not answer.',
  '4.4': noMail,
  '4.7': 'The receiving server did not answer in time.',
}

/** For servers without enhanced status codes: RFC 5321 section 4.2.3. */
const reasonByReplyCode: Record<number, string> = {
  450: 'The mailbox is busy.',
  451: tryLater,
  452: 'The receiving server is out of storage.',
  530: 'The mail server requires authentication.',
  550: 'The receiving server does not accept email for this address.',
  551: 'This address has moved.',
  552: mailboxFull,
  553: 'The receiving server does not support this kind of address.',
}

export const connectionFailed = 'The mail server could not be reached.'
const noSecureConnection = 'Could not establish a secure connection to the mail server.'
const certificateNotTrusted = 'The certificate of the mail server is not trusted.'
/** By Node's codes. */
const reasonByCertificateCode: Record<string, string> = {
  CERT_HAS_EXPIRED: 'The certificate of the mail server has expired.',
  CERT_NOT_YET_VALID: 'The certificate of the mail server is not valid yet.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the mail server is for another host name.',
}

/** Why no secure connection came about; undefined for any other error. */
function secureConnectionFailure(code: string): string | undefined {
  const certificateReason = reasonByCertificateCode[code]
  if (certificateReason !== undefined) return certificateReason
  // SELF_SIGNED_CERT_IN_CHAIN, UNABLE_TO_VERIFY_LEAF_SIGNATURE, INVALID_CA and the like.
  if (/CERT|ISSUER|SIGNATURE|^INVALID_(CA|PURPOSE)$/.test(code)) return certificateNotTrusted
  return /^(ERR_SSL_|EPROTO$)/.test(code) ? noSecureConnection : undefined
}

/** Failures before the server has seen an email, by nodemailer's codes. */
const reasonByErrorCode: Record<string, string> = {
  EAUTH: 'The mail server rejected our login.',
  ENOAUTH: 'The mail server requires authentication.',
  ETLS: noSecureConnection,
  EDNS: 'The mail server could not be found.',
  ETIMEDOUT: 'The mail server did not answer in time.',
  EABORT: 'The mail server did not answer in time.',
}

function reasonFor(response: string, code: number): string {
  const [, enhancedCode = ''] = /^\d{3}[ -][245]\.(\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  const isTemporary = code < 500
  if (isTemporary && (enhancedCode === '2.0' || enhancedCode.startsWith('7.') || /gr[ae]y-?list/i.test(response)))
    return receiverAsksToWait
  const enhancedReason = reasonByEnhancedCode[enhancedCode]
  if (enhancedReason) return enhancedReason
  if (enhancedCode.startsWith('7.')) return rejected
  return reasonByReplyCode[code] ?? (isTemporary ? tryLater : rejected)
}

/** Nodemailer's codes for what the connection or the server did, as opposed to bugs of ours. */
const serverErrors = new Set([
  'ECONNECTION',
  'ESOCKET',
  'ETIMEDOUT',
  'EDNS',
  'ETLS',
  'EPROTOCOL',
  'EAUTH',
  'ENOAUTH',
  'EABORT',
  'EENVELOPE',
  'EMESSAGE',
])

/**
 * The result of an attempt that failed. `hasBegun`: the server was being given this email, so the failure may be about
 * the email itself.
 * @returns undefined when neither server nor connection caused the failure
 */
export function classifyFailure(
  error: SmtpError,
  hasBegun: boolean,
): Exclude<SendResult, { kind: 'sent' }> | undefined {
  const { code = '', originalCode = '', message = '', response = '', responseCode } = error
  if (!serverErrors.has(code)) return undefined
  if (!hasBegun) {
    const insecure = secureConnectionFailure(originalCode)
    if (insecure !== undefined) return { kind: 'retry', unreachable: true, reason: insecure, detail: message }
    return { kind: 'retry', unreachable: true, reason: reasonByErrorCode[code] ?? connectionFailed }
  }
  if (responseCode === undefined || responseCode < 400) {
    return {
      kind: 'retry',
      unreachable: false,
      reason: reasonByErrorCode[code] ?? 'The connection to the mail server was lost.',
    }
  }
  const reason = reasonFor(response, responseCode)
  // 503 is about the order of commands, 530 and 538 about authentication: none of them is about this email.
  const isPermanent = responseCode >= 500 && ![503, 530, 538].includes(responseCode)
  return isPermanent
    ? { kind: 'refused', reason, tooLarge: reason === tooLarge || responseCode === 552 }
    : { kind: 'retry', unreachable: false, reason }
}
