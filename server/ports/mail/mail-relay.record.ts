/**
 * Emails through a real mail server: our SMTP client -> Postfix on loopback -> a test server that accepts, refuses or defers
 * them. `npm run mail-relay`, as root on Debian; Postfix runs with a configuration of its own.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../lib/ids.ts'
import { type Cleanup, freePort } from '../../test/child-processes.ts'
import { type MailServer, parseEmail, type ReceivedEmail, startMailServer } from '../../test/smtp-server.ts'
import type { Mail, Message } from './mail.ts'
import { smtpMail } from './smtp.ts'

const mainConfig = (folder: string, nextPort: number): string => `compatibility_level = 3.6
multi_instance_enable = yes
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/mail.log
maillog_file_prefixes = ${folder}
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

/** Debian's master.cf with SMTP on this port only, and no service in a chroot. */
function masterConfig(port: number): string {
  const files = ['/etc/postfix/master.cf', '/usr/share/postfix/master.cf.dist']
  return readFileSync(files.find(existsSync) ?? '', 'utf8')
    .replaceAll(/^(#.*|\s*)\n/gm, '')
    .replaceAll(/^((?:\S+[ \t]+){4})\S+/gm, '$1n')
    .replace(/^smtp\s+inet\s.*/m, `127.0.0.1:${port} inet n - n - - smtpd`)
}

/** Starts a Postfix that relays everything to a port on loopback. */
async function startPostfix(cleanup: Cleanup, nextPort: number): Promise<{ port: number; config: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsnap-relay-'))
  cleanup(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  for (const name of ['config', 'queue', 'data']) mkdirSync(join(folder, name))
  execFileSync('chown', ['postfix', join(folder, 'data')])
  const [port, config] = [await freePort(), join(folder, 'config')]
  writeFileSync(join(config, 'master.cf'), masterConfig(port))
  writeFileSync(join(config, 'main.cf'), mainConfig(folder, nextPort))
  execFileSync('postfix', ['-c', config, 'start'], { stdio: 'pipe' })
  cleanup(() => void execFileSync('postfix', ['-c', config, 'stop'], { stdio: 'pipe' }))
  return { port, config }
}

const isRoot = process.geteuid?.() === 0
const photo = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) & 255))
const cleanups: Parameters<Cleanup>[0][] = []
let server: MailServer
let relay: { port: number; config: string }
let mail: Mail
let busyAttempts = 0

beforeAll(async () => {
  if (!isRoot) return
  const cleanup: Cleanup = (work) => void cleanups.push(work)
  server = await startMailServer(cleanup)
  server.rules.recipient = (address) => {
    if (address === 'nobody@guest.test') return { code: 550, text: '5.1.1 no such user' }
    if (address !== 'busy@guest.test') return undefined
    busyAttempts += 1
    return busyAttempts === 1 ? { code: 451, text: '4.3.2 try again later' } : undefined
  }
  const options = { secure: false, user: undefined, secretPassword: undefined, name: 'photos.test' }
  relay = await startPostfix(cleanup, server.port)
  mail = smtpMail({ host: '127.0.0.1', port: relay.port, ...options })
  cleanup(() => mail.close())
})
beforeEach(({ skip }) => skip(!isRoot, 'needs root, to start Postfix'))
afterAll(async () => {
  for (const clean of cleanups.toReversed()) await clean()
})

const emailTo = (address: string, content = photo): Message => ({
  id: newId(),
  from: { name: 'Keepsnap', address: 'photos@photos.test' },
  to: { address },
  subject: 'Your photo 🎉',
  html: `<p>${'A long line. '.repeat(200)}</p>`,
  text: 'Here it is.\n.\n',
  attachments: [{ filename: 'photo.jpg', type: 'image/jpeg', open: async () => Readable.from([content]) }],
})
const receivedBy = (address: string): ReceivedEmail[] => server.received.filter(({ to }) => to.includes(address))
const arrivalAt = async (address: string): Promise<void> => {
  await expect.poll(() => receivedBy(address)[0], { timeout: 40_000 }).toBeDefined()
}

test('the relay accepts an email, which arrives unchanged', async () => {
  expect(await mail.check()).toBe(true)
  const message = emailTo('ann@guest.test')
  expect(await mail.send(message)).toMatchObject({ kind: 'sent' })
  await arrivalAt('ann@guest.test')
  const { messageId, subject, attachments } = await parseEmail(receivedBy('ann@guest.test')[0]!.bytes)
  expect([messageId, subject]).toEqual([`<${message.id}@photos.test>`, message.subject])
  expect(photo.equals(Buffer.from(attachments[0]!.content as ArrayBuffer))).toBe(true) // of a parser without options
})

test('the sender gets the bounce of an email to an unknown recipient, with its address and the reason', async () => {
  expect(await mail.send(emailTo('nobody@guest.test'))).toMatchObject({ kind: 'sent' })
  await arrivalAt('photos@photos.test')
  const [bounce] = receivedBy('photos@photos.test')
  expect(bounce?.from).toBe('')
  expect(bounce?.bytes.toString()).toMatch(/nobody@guest\.test/)
  expect(bounce?.bytes.toString()).toMatch(/Status: 5\.1\.1/)
  expect(receivedBy('nobody@guest.test')).toEqual([])
})

test('an email to a server that defers it arrives later, once', async () => {
  expect(await mail.send(emailTo('busy@guest.test'))).toMatchObject({ kind: 'sent' })
  await arrivalAt('busy@guest.test')
  expect(busyAttempts).toBe(2)
  await expect.poll(() => execFileSync('postqueue', ['-c', relay.config, '-p']).toString()).toContain('queue is empty')
  expect(receivedBy('busy@guest.test')).toHaveLength(1)
})

test('an email above the size limit of the relay is refused as too large', async () => {
  expect(await mail.send(emailTo('ann@guest.test', Buffer.alloc(8 * 1024 * 1024)))).toMatchObject({
    kind: 'refused',
    tooLarge: true,
  })
})
