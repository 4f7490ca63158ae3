import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import type { Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { type Cleanup, freePort } from './child-processes.ts'

/** An email as it arrived. */
export interface ReceivedEmail {
  from: string
  to: string[]
  bytes: Buffer
  /** Whether it came over TLS, and who signed in. */
  secure: boolean
  user: string | undefined
}

/** What a refusal says: its code and text, as a server would write them. */
type SmtpRejection = { code: number; text: string }

export interface MailServer {
  port: number
  received: ReceivedEmail[]
  /** Connections since the start. */
  connections(): number
  /** What the server says to recipients and to whole emails from now on; undefined: it takes them. */
  rules: {
    recipient?: ((address: string) => SmtpRejection | undefined) | undefined
    email?: () => SmtpRejection | undefined
  }
  stop(): Promise<void>
}

interface MailServerOptions {
  /** A port to come back on. */
  port?: number
  /** Offer STARTTLS, with this certificate or one that has expired. */
  tls?: boolean | typeof selfSigned
  user?: { name: string; password: string }
}

/** A certificate that nobody else signed, of the address ::ffff:127.0.0.1, which is loopback, though it does not look like it. */
export const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggteu/0AbCbx6gVUB
zbvzoCuIfVVR3pKs/zSZE+xtlGyhRANCAASpiT3UA8M/p7L/8hv4z4x+ibDAoUeS
lnAiQFKQYGcnZBous3haHhK2aeXcfYDK18nt3yqbPqjOruV7r3e6eU1N
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBqjCCAVCgAwIBAgIUexcZWTb/ox8e+aPTtbr42+rtC9UwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKcmVsYXkudGVzdDAgFw0yNjExMjgyMDAxMzNaGA8yMTI2MTEw
NDIwMDEzM1owFTETMBEGA1UEAwwKcmVsYXkudGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABKmJPdQDwz+nsv/yG/jPjH6JsMChR5KWcCJAUpBgZydkGi6zeFoe
ErZp5dx9gMrXye3fKps+qM6u5Xuvd7p5TU2jfDB6MB0GA1UdDgQWBBS+cGLPbyKm
ko+aVcjBlQHWHP3P8DAfBgNVHSMEGDAWgBS+cGLPbyKmko+aVcjBlQHWHP3P8DAP
BgNVHRMBAf8EBTADAQH/MCcGA1UdEQQgMB6CCnJlbGF5LnRlc3SHEAAAAAAAAAAA
AAD//38AAAEwCgYIKoZIzj0EAwIDSAAwRQIhALYBZBwRf0Ze0qyxZ92wi6dNXgv2
qEnLUtXkwhmSIhqSAiA+mxN/VxHej0RCiHaWWE/gTq+gE0zUBHD+nnntD+xBpw==
-----END CERTIFICATE-----`,
}

const refuse = ({ code, text }: SmtpRejection): Error => Object.assign(new Error(text), { responseCode: code })

/** A real mail server on loopback. It keeps what it took. */
export async function startMailServer(cleanup: Cleanup, options: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedEmail[] = []
  const rules: MailServer['rules'] = {}
  let connections = 0
  const server = new SMTPServer({
    authOptional: options.user === undefined,
    allowInsecureAuth: true,
    disabledCommands: [...(options.tls ? [] : ['STARTTLS' as const]), ...(options.user ? [] : ['AUTH' as const])],
    disableReverseLookup: true,
    closeTimeout: 100,
    ...(typeof options.tls === 'object' && options.tls),
    onConnect(_session, done) {
      connections += 1
      done()
    },
    onAuth({ username, password }, _session, done) {
      const isRight = username === options.user?.name && password === options.user?.password
      done(isRight ? null : refuse({ code: 535, text: '5.7.8 no' }), isRight ? { user: username } : undefined)
    },
    onRcptTo({ address }, _session, done) {
      const refusal = rules.recipient?.(address)
      done(refusal && refuse(refusal))
    },
    onData(stream, { envelope, secure, user }, done) {
      const acceptEmail = (bytes: Buffer): void => {
        const refusal = rules.email?.()
        if (refusal) return done(refuse(refusal))
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          bytes,
          secure,
          user: typeof user === 'string' ? user : undefined,
        })
        done()
      }
      // An email whose transfer breaks off was not accepted.
      void buffer(stream).then(acceptEmail, () => {})
    },
  })
  server.on('error', () => {})
  // Tests that stop a server start it again on its port, which no other process must get meanwhile.
  server.listen(options.port ?? (await freePort()), '127.0.0.1')
  await once(server.server, 'listening')
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => (stopped ??= new Promise((resolve) => server.close(() => resolve())))
  cleanup(stop)
  const { port } = server.server.address() as AddressInfo // it listens on TCP
  return { port, received, rules, connections: () => connections, stop }
}

/** Reads an email with a parser that is not the writer's. */
export const parseEmail = (bytes: Buffer): Promise<Email> => PostalMime.parse(bytes)

/** The moments of an SMTP session; `DOT` is the end of the email. */
export const verbs = ['GREETING', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'DOT'] as const
export type Verb = (typeof verbs)[number]

/** A reply line, which begins with its code; silence for ever; or a connection that breaks without a word. */
export type Reaction = `${number} ${string}` | 'hang' | 'drop'

const defaultReplies: Record<Verb, Reaction> = {
  GREETING: '220 script.test ESMTP',
  EHLO: '250 script.test',
  MAIL: '250 2.1.0 ok',
  RCPT: '250 2.1.5 ok',
  DATA: '354 go on',
  DOT: '250 2.0.0 kept',
}

interface ScriptedSmtpServer {
  port: number
  /** Whole emails that came as far as their end, whatever was said then. */
  emails: string[]
}

function converse(socket: Socket, act: (verb: Verb) => void, emails: string[]): void {
  let [rest, email] = ['', undefined as string | undefined]
  const handleLine = (line: string): void => {
    if (email !== undefined && line === '.') {
      emails.push(email)
      email = undefined
      return act('DOT')
    }
    if (email !== undefined) return void (email += `${line}\r\n`)
    const word = line.slice(0, 4).toUpperCase()
    if (word === 'QUIT') return void socket.end('221 bye\r\n')
    if (word === 'RSET') return void socket.write('250 ok\r\n')
    const verb = word === 'HELO' ? 'EHLO' : verbs.find((one) => one === word)
    if (!verb) return void socket.write('502 what\r\n')
    act(verb)
    if (verb === 'DATA') email = ''
  }
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) handleLine(line)
  })
}

/** A mail server that misbehaves at one step of the session, as scripted, and follows the protocol otherwise. */
export async function startScriptedSmtpServer(
  cleanup: Cleanup,
  script: Partial<Record<Verb, Reaction>>,
): Promise<ScriptedSmtpServer> {
  const emails: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    const act = (verb: Verb): void => {
      const what = script[verb] ?? defaultReplies[verb]
      if (what === 'hang') return
      if (what === 'drop') socket.resetAndDestroy()
      else socket.write(`${what}\r\n`)
    }
    act('GREETING')
    converse(socket, act, emails)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanup(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, emails } // it listens on TCP
}
