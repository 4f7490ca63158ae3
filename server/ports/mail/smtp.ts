import { isIP } from 'node:net'
import { emailLimits } from '@keepsnap/contract/limits.ts'
import { createTransport } from 'nodemailer'
import type { Mail } from './mail.ts'
import { mimeMessage } from './mime-message.ts'
import { classifyFailure, type SmtpError } from './smtp-failures.ts'
import { createEmailThrottle } from './throttle.ts'

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

/** A pool of connections. */
function createSmtpTransport(options: SmtpOptions & Required<Pick<SmtpOptions, 'timeouts'>>) {
  const { host, port, secure, user, secretPassword, name, certificates, timeouts } = options
  return createTransport({
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
}

const smtpErrorOf = (error: unknown): SmtpError => (error instanceof Error ? error : {})

/**
 * Sends through a mail server over a pool of connections. STARTTLS is used when offered, and required before a password is
 * sent to another machine; the certificate must be valid unless the server is on this machine.
 */
export function smtpMail({ timeouts = defaultTimeouts, ...options }: SmtpOptions): Mail {
  const begunEmails = new WeakSet<object>()
  const emailThrottle = createEmailThrottle()
  const smtpTransport = createSmtpTransport({ ...options, timeouts })
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
