/**
 * Sends emails through a real mail server: our port -> Postfix on loopback -> a server that takes, refuses or puts them
 * off. Run by `npm run mail-relay`, as root on Debian; Postfix is installed when missing and runs from a folder of its own.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../server/lib/ids.ts'
import type { Mail, Message, SendResult } from '../server/ports/mail/mail.ts'
import { smtpMail } from '../server/ports/mail/smtp.ts'
import { parseEmail, startMailServer, type MailServer, type Received } from '../server/test/smtp-server.ts'

const waitMs = 40_000
const policy = '/usr/sbin/policy-rc.d'
const cleanups: (() => void | Promise<void>)[] = []

const run = (command: string, args: string[]): void => void execFileSync(command, args, { stdio: 'pipe' })

/** Installs Postfix without letting it start: the system's own instance would listen to the world. */
function installPostfix(): void {
  if (existsSync('/usr/sbin/postfix')) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const isOurs = !existsSync(policy)
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    execFileSync('debconf-set-selections', { input: 'postfix postfix/main_mailer_type select No configuration\n' })
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'pipe', env })
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'postfix'], { stdio: 'pipe', env })
  } finally {
    if (isOurs) rmSync(policy)
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Debian's services on this port alone, none of them in a chroot. */
function services(text: string, port: number): string {
  const lines = text.split('\n').filter((line) => !line.startsWith('#') && line.trim() !== '')
  return lines
    .map((line) => {
      if (/^smtp\s+inet\s/.test(line)) return `127.0.0.1:${port} inet n - n - - smtpd`
      return /^\s/.test(line) ? line : line.replace(/^((?:\S+\s+){4})\S+/, '$1n')
    })
    .join('\n')
}

const settings = (dir: string, next: number): string => `compatibility_level = 3.6
multi_instance_enable = yes
queue_directory = ${dir}/queue
data_directory = ${dir}/data
maillog_file = ${dir}/mail.log
maillog_file_prefixes = ${dir}
myhostname = relay.photos.test
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
mydestination =
smtpd_relay_restrictions = permit_mynetworks, reject
relayhost = [127.0.0.1]:${next}
disable_dns_lookups = yes
smtp_host_lookup = native
minimal_backoff_time = 2s
maximal_backoff_time = 4s
queue_run_delay = 2s
maximal_queue_lifetime = 60s
`

/** Postfix with a configuration of its own, relaying everything to `next`. Resolves with its port. */
async function startPostfix(next: number): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'keepsnap-relay-'))
  cleanups.push(() => rm(dir, { recursive: true, force: true }))
  execFileSync('chmod', ['0755', dir])
  const port = await freePort()
  const config = join(dir, 'config')
  await mkdir(config)
  await mkdir(join(dir, 'queue'))
  await mkdir(join(dir, 'data'))
  await chown(join(dir, 'data'), Number(execFileSync('id', ['-u', 'postfix'])), 0)
  const master = existsSync('/etc/postfix/master.cf') ? '/etc/postfix/master.cf' : '/usr/share/postfix/master.cf.dist'
  await writeFile(join(config, 'master.cf'), `${services(await readFile(master, 'utf8'), port)}\n`)
  await writeFile(join(config, 'main.cf'), settings(dir, next))
  run('postfix', ['-c', config, 'start'])
  cleanups.push(() => run('postfix', ['-c', config, 'stop']))
  return port
}

const failures: string[] = []
function check(what: string, isRight: boolean): void {
  process.stdout.write(`${isRight ? 'ok    ' : 'FAIL  '}${what}\n`)
  if (!isRight) failures.push(what)
}

async function arrival(server: MailServer, fits: (email: Received) => boolean): Promise<Received | undefined> {
  for (const end = Date.now() + waitMs; Date.now() < end; await delay(100)) {
    const found = server.received.find(fits)
    if (found) return found
  }
  return undefined
}

const emailTo = (address: string, bytes = 300_000): { message: Message; photo: Buffer } => {
  const photo = Buffer.from(Array.from({ length: bytes }, (_, at) => (at * 7) & 255))
  const open = async (): Promise<Readable> => Readable.from([photo])
  const message: Message = {
    id: newId(),
    from: { name: 'Keepsnap', address: 'photos@photos.test' },
    to: { address },
    subject: 'Your photo 🎉',
    html: `<p>${'A long line. '.repeat(200)}</p>`,
    text: 'Here it is.\n.\n',
    attachments: [{ filename: 'photo.jpg', type: 'image/jpeg', open }],
  }
  return { message, photo }
}
const isFor = (address: string) => (email: Received) => email.to.includes(address)

async function wholeEmail(mail: Mail, server: MailServer): Promise<void> {
  const { message, photo } = emailTo('ann@guest.test')
  check('the relay takes an email', (await mail.send(message)).kind === 'sent')
  const arrived = await arrival(server, isFor('ann@guest.test'))
  const email = arrived && (await parseEmail(arrived.bytes))
  check('it arrives under its Message-ID', email?.messageId === `<${message.id}@photos.test>`)
  check('its subject is whole', email?.subject === message.subject)
  const content = email?.attachments[0]?.content
  check('its photo is the same, byte by byte', content instanceof ArrayBuffer && Buffer.from(content).equals(photo))
}

async function bounced(mail: Mail, server: MailServer): Promise<void> {
  check('the relay takes an email to nobody', (await mail.send(emailTo('nobody@guest.test').message)).kind === 'sent')
  const bounce = await arrival(server, (email) => email.from === '' && email.to.includes('photos@photos.test'))
  const text = bounce?.bytes.toString() ?? ''
  check('the bounce comes to the sender of emails', bounce !== undefined)
  check('it names the address and the reason', /nobody@guest\.test/.test(text) && /Status: 5\.1\.1/.test(text))
  check('nothing reached nobody', !server.received.some(isFor('nobody@guest.test')))
}

async function putOff(mail: Mail, server: MailServer, offers: () => number): Promise<void> {
  check(
    'the relay takes an email to a busy server',
    (await mail.send(emailTo('busy@guest.test').message)).kind === 'sent',
  )
  check('it arrives once the server has room', (await arrival(server, isFor('busy@guest.test'))) !== undefined)
  check('after having been put off', offers() > 1)
  await delay(3_000)
  check('and arrives once', server.received.filter(isFor('busy@guest.test')).length === 1)
}

async function tooLarge(mail: Mail): Promise<void> {
  const sent: SendResult = await mail.send(emailTo('ann@guest.test', 8 * 1024 * 1024).message)
  check("an email beyond the relay's limit is known as too large", sent.kind === 'refused' && sent.tooLarge)
}

async function main(): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('npm run mail-relay needs root on Debian, to start Postfix.')
  installPostfix()
  const server = await startMailServer((work) => void cleanups.push(work))
  let offers = 0
  server.rules.recipient = (address) => {
    if (address === 'nobody@guest.test') return { code: 550, text: '5.1.1 no such user' }
    if (address !== 'busy@guest.test') return undefined
    offers += 1
    return offers === 1 ? { code: 451, text: '4.3.2 not now' } : undefined
  }
  const port = await startPostfix(server.port)
  const options = { secure: false, user: undefined, secretPassword: undefined, name: 'photos.test' }
  const mail = smtpMail({ host: '127.0.0.1', port, ...options })
  cleanups.push(() => mail.close())
  check('the relay is there', await mail.check())
  await wholeEmail(mail, server)
  await bounced(mail, server)
  await putOff(mail, server, () => offers)
  await tooLarge(mail)
}

try {
  await main()
} finally {
  for (const clean of cleanups.toReversed()) await clean()
}
process.stdout.write(failures.length ? `mail-relay: ${failures.length} failed\n` : 'mail-relay: all fine\n')
process.exitCode = failures.length ? 1 : 0
