import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { Cleanup } from './child-processes.ts'

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

export interface ScriptedSmtpServer {
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
