import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import { compose } from './compose.ts'
import type { Mail } from './mail.ts'
import { createPace } from './pace.ts'
import { judge, type Failure } from './replies.ts'

/** The mail server, and how long it may take. */
export interface SmtpOptions {
  host: string
  port: number
  secure: boolean
  user: string | undefined
  secretPassword: string | undefined
  /** How we introduce ourselves: a domain name. */
  name: string
  /** Milliseconds; shorter in tests. */
  patience?: { connect: number; greeting: number; silence: number; letter: number }
}

/** Letters that one node sends at a time. */
export const connectionsMost = 5
const patient = { connect: 10_000, greeting: 15_000, silence: 60_000, letter: 120_000 }
const idleMs = 15_000

const isLoopback = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host)

/** What a thrown value tells; nodemailer's errors carry these fields. */
const failureOf = (error: unknown): Failure => (error instanceof Error ? (error as Failure) : {}) // all fields are optional

/**
 * Sends through a mail server over a pool of connections. STARTTLS is used when offered, and demanded before a password is
 * shown to a server beyond this machine; a certificate must be good unless the server is on this machine.
 */
export function smtpMail({ host, port, secure, user, secretPassword, name, patience = patient }: SmtpOptions): Mail {
  const begun = new WeakSet<object>()
  const pace = createPace()
  const transport = createTransport({
    pool: true,
    host,
    port,
    secure,
    name,
    ...(user !== undefined && { auth: { user, pass: secretPassword ?? '' } }),
    requireTLS: user !== undefined && !secure && !isLoopback(host),
    tls: { rejectUnauthorized: !isLoopback(host), ...(isIP(host) ? {} : { servername: host }) },
    maxConnections: connectionsMost,
    maxMessages: 200,
    // An attempt is an attempt: when the next one comes is decided by the letter's own row.
    maxRequeues: 0,
    idleTimeout: idleMs,
    connectionTimeout: patience.connect,
    greetingTimeout: patience.greeting,
    socketTimeout: patience.silence,
    dnsTimeout: patience.connect,
  })
  // A connection that breaks while idle is nobody's failure; without a listener it would end the program.
  transport.on('error', () => {})
  transport.use('stream', (mail, done) => {
    mail.message.processFunc((bytes) => {
      if (mail.data.signal) begun.add(mail.data.signal)
      return bytes
    })
    done()
  })

  return {
    kind: 'smtp',
    async send(message) {
      await pace()
      const signal = AbortSignal.timeout(patience.letter)
      try {
        await transport.sendMail({ ...compose(message, pace), signal })
        return { kind: 'sent' }
      } catch (error) {
        const verdict = judge(failureOf(error), begun.has(signal))
        if (!verdict) throw error
        return verdict
      }
    },
    async forget() {},
    async check() {
      try {
        return await transport.verify()
      } catch {
        return false
      }
    },
    async close() {
      transport.close()
    },
  }
}
