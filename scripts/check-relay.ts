/**
 * Sends emails through a real mail server: our SMTP client -> Postfix on loopback -> a test server that accepts, rejects or
 * defers them. `npm run mail-relay`, as root on Debian. Installs Postfix if missing; it runs with its own configuration.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../server/lib/ids.ts'
import type { Mail, Message, SendResult } from '../server/ports/mail/mail.ts'
import { smtpMail } from '../server/ports/mail/smtp.ts'
import { parseEmail, startMailServer, type MailServer, type ReceivedEmail } from '../server/test/smtp-server.ts'
import { freePort } from '@keepsnap/server/test/free-ports.ts'

const timeoutMs = 40_000
const startPolicy = '/usr/sbin/policy-rc.d'
const cleanups: (() => void | Promise<void>)[] = []

const run = (command: string, args: string[]): void => void execFileSync(command, args, { stdio: 'pipe' })

/** Installs Postfix without starting it: the default instance would listen on all interfaces. */
function installPostfix(): void {
  if (existsSync('/usr/sbin/postfix')) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const isOurs = !existsSync(startPolicy)
  if (isOurs) writeFileSync(startPolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    execFileSync('debconf-set-selections', { input: 'postfix postfix/main_mailer_type select No configuration\n' })
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'pipe', env })
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'postfix'], { stdio: 'pipe', env })
  } finally {
    if (isOurs) rmSync(startPolicy)
  }
}

/** Debian's master.cf with SMTP on this port only, and no service in a chroot. */
function masterConfig(text: string, port: number): string {
  const lines = text.split('\n').filter((line) => !line.startsWith('#') && line.trim() !== '')
  return lines
    .map((line) => {
      if (/^smtp\s+inet\s/.test(line)) return `127.0.0.1:${port} inet n - n - - smtpd`
      return /^\s/.test(line) ? line : line.replace(/^((?:\S+\s+){4})\S+/, '$1n')
    })
    .join('\n')
}

const mainConfig = (dir: string, nextPort: number): string => `compatibility_level = 3.6
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
relayhost = [127.0.0.1]:${nextPort}
disable_dns_lookups = yes
smtp_host_lookup = native
minimal_backoff_time = 2s
maximal_backoff_time = 4s
queue_run_delay = 2s
maximal_queue_lifetime = 60s
`

/** Starts a Postfix that relays everything to a port on loopback. Returns its own port. */
async function startPostfix(nextPort: number): Promise<number> {
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
  await writeFile(join(config, 'master.cf'), `${masterConfig(await readFile(master, 'utf8'), port)}\n`)
  await writeFile(join(config, 'main.cf'), mainConfig(dir, nextPort))
  run('postfix', ['-c', config, 'start'])
  cleanups.push(() => run('postfix', ['-c', config, 'stop']))
  return port
}

const failures: string[] = []
function check(title: string, passed: boolean): void {
  process.stdout.write(`${passed ? 'ok    ' : 'FAIL  '}${title}\n`)
  if (!passed) failures.push(title)
}

/** Waits for an email that matches; undefined when none arrives in time. */
async function waitForEmail(
  server: MailServer,
  matches: (email: ReceivedEmail) => boolean,
): Promise<ReceivedEmail | undefined> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await delay(100)) {
    const found = server.received.find(matches)
    if (found) return found
  }
  return undefined
}

const emailTo = (address: string, photoBytes = 300_000): { message: Message; photo: Buffer } => {
  const photo = Buffer.from(Array.from({ length: photoBytes }, (_, index) => (index * 7) & 255))
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
const isFor = (address: string) => (email: ReceivedEmail) => email.to.includes(address)

async function checkDelivery(mail: Mail, server: MailServer): Promise<void> {
  const { message, photo } = emailTo('ann@guest.test')
  check('the relay accepts an email', (await mail.send(message)).kind === 'sent')
  const arrived = await waitForEmail(server, isFor('ann@guest.test'))
  const email = arrived && (await parseEmail(arrived.bytes))
  check('it arrives with its Message-ID', email?.messageId === `<${message.id}@photos.test>`)
  check('its subject is unchanged', email?.subject === message.subject)
  const content = email?.attachments[0]?.content
  check('its photo is unchanged', content instanceof ArrayBuffer && Buffer.from(content).equals(photo))
}

async function checkBounce(mail: Mail, server: MailServer): Promise<void> {
  check(
    'the relay accepts an email to an unknown recipient',
    (await mail.send(emailTo('nobody@guest.test').message)).kind === 'sent',
  )
  const bounce = await waitForEmail(server, (email) => email.from === '' && email.to.includes('photos@photos.test'))
  const text = bounce?.bytes.toString() ?? ''
  check('the bounce is sent to the sender', bounce !== undefined)
  check('the bounce names the address and the reason', /nobody@guest\.test/.test(text) && /Status: 5\.1\.1/.test(text))
  check('nothing is delivered to the unknown recipient', !server.received.some(isFor('nobody@guest.test')))
}

async function checkDeferral(mail: Mail, server: MailServer, attempts: () => number): Promise<void> {
  check(
    'the relay accepts an email to a busy server',
    (await mail.send(emailTo('busy@guest.test').message)).kind === 'sent',
  )
  check('it arrives when the server accepts it', (await waitForEmail(server, isFor('busy@guest.test'))) !== undefined)
  check('it was deferred before', attempts() > 1)
  await delay(3_000)
  check('it arrives only once', server.received.filter(isFor('busy@guest.test')).length === 1)
}

async function checkSizeLimit(mail: Mail): Promise<void> {
  const sent: SendResult = await mail.send(emailTo('ann@guest.test', 8 * 1024 * 1024).message)
  check("an email above the relay's size limit is reported as too large", sent.kind === 'refused' && sent.tooLarge)
}

async function main(): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('npm run mail-relay needs root on Debian, to start Postfix.')
  installPostfix()
  const server = await startMailServer((work) => void cleanups.push(work))
  let attempts = 0
  server.rules.recipient = (address) => {
    if (address === 'nobody@guest.test') return { code: 550, text: '5.1.1 no such user' }
    if (address !== 'busy@guest.test') return undefined
    attempts += 1
    return attempts === 1 ? { code: 451, text: '4.3.2 try again later' } : undefined
  }
  const port = await startPostfix(server.port)
  const options = { secure: false, user: undefined, secretPassword: undefined, name: 'photos.test' }
  const mail = smtpMail({ host: '127.0.0.1', port, ...options })
  cleanups.push(() => mail.close())
  check('the relay is reachable', await mail.check())
  await checkDelivery(mail, server)
  await checkBounce(mail, server)
  await checkDeferral(mail, server, () => attempts)
  await checkSizeLimit(mail)
}

try {
  await main()
} finally {
  for (const clean of cleanups.toReversed()) await clean()
}
process.stdout.write(failures.length ? `mail-relay: ${failures.length} failed\n` : 'mail-relay: all passed\n')
process.exitCode = failures.length ? 1 : 0
