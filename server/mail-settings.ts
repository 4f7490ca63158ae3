import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { isEmail } from '@keepsnap/contract/emails.ts'
import { isPrivateUrl } from './domain/reach.ts'

/** How letters leave: into a folder, or through a mail server. */
export type MailConfig =
  | { kind: 'outbox' }
  | {
      kind: 'smtp'
      host: string
      port: number
      /** TLS from the first byte; otherwise by STARTTLS when the server offers it. */
      secure: boolean
      user: string | undefined
      secretPassword: string | undefined
    }

/** The settings around letters: how they leave, and who stands in them. */
export interface MailSettings {
  mail: MailConfig
  /** The one sender of all letters. */
  mailFrom: { name: string; address: string }
  supportEmail: string
  /** Who runs this Keepsnap, for letters and legal pages. */
  operator: { name: string; address: string; vat: string; email: string }
}

/** Whether guests cannot ask for photos: on the internet, letters that stay in a folder reach nobody. */
export const isMailOff = ({ mail, publicUrl }: Pick<MailSettings, 'mail'> & { publicUrl: string }): boolean =>
  mail.kind === 'outbox' && !isPrivateUrl(publicUrl)

type Text = (name: string) => string | undefined

const ports = { 'smtp:': 25, 'smtps:': 465 } as const
const smtpFix = 'give the address of a mail server such as smtp://user:password@mail.example.com:587'

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function readServer(given: string, complaints: string[]): MailConfig {
  const url = URL.canParse(given) ? new URL(given) : undefined
  const scheme = url?.protocol === 'smtp:' || url?.protocol === 'smtps:' ? url.protocol : undefined
  const user = url && decoded(url.username)
  const password = url && decoded(url.password)
  const isWhole = url && (url.pathname === '' || url.pathname === '/') && !url.search && !url.hash
  if (!url || !scheme || !isWhole || !url.hostname || user === undefined || password === undefined) {
    // The value may hold a password, so it is not repeated.
    complaints.push(`SMTP_URL is no smtp:// or smtps:// address; ${smtpFix}. Special characters are written as %40.`)
    return { kind: 'outbox' }
  }
  if (!user !== !password) complaints.push(`SMTP_URL has a user without a password or the reverse; ${smtpFix}.`)
  return {
    kind: 'smtp',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : ports[scheme],
    secure: scheme === 'smtps:',
    user: user || undefined,
    secretPassword: password || undefined,
  }
}

/** "Name <address>" or "address"; one address, its domain in ASCII. Undefined for anything else. */
function parseSender(given: string): MailSettings['mailFrom'] | undefined {
  const match = /^(?:"?([^"<>]*?)"?\s*<([^<>\s]+)>|([^<>\s]+))$/.exec(given)
  const written = match?.[2] ?? match?.[3] ?? ''
  const at = written.lastIndexOf('@')
  const address = `${written.slice(0, at)}@${domainToASCII(written.slice(at + 1))}`
  // oxlint-disable-next-line no-control-regex -- control characters are what must not pass
  return isEmail(address) && !/[\x00-\x1f\x7f]/.test(given) ? { name: match?.[1] || 'Keepsnap', address } : undefined
}

/** Senders on a host that has no mail domain would be made up; `.invalid` says so to everybody (RFC 2606). */
function defaultSender(publicUrl: string): MailSettings['mailFrom'] {
  const { hostname } = new URL(publicUrl)
  const isDomain = !isIP(hostname) && !hostname.startsWith('[') && hostname.includes('.')
  return { name: 'Keepsnap', address: `photos@${isDomain ? hostname : 'keepsnap.invalid'}` }
}

function readSender(text: Text, publicUrl: string, complaints: string[]): MailSettings['mailFrom'] {
  const given = text('MAIL_FROM')
  const sender = given === undefined ? defaultSender(publicUrl) : parseSender(given)
  if (!sender)
    complaints.push(`MAIL_FROM is "${given}"; give one address such as Keepsnap <photos@photos.example.com>.`)
  else if (given === undefined && text('SMTP_URL') && sender.address.endsWith('.invalid'))
    complaints.push(
      'MAIL_FROM must be set when SMTP_URL is and PUBLIC_URL has no domain name; give the address that letters come from.',
    )
  return sender ?? defaultSender(publicUrl)
}

/** SMTP_URL, MAIL_FROM, SUPPORT_EMAIL and OPERATOR_*. What is missing of the last two is filled with marked samples. */
export function readMail(text: Text, publicUrl: string, complaints: string[]): MailSettings {
  const email = (name: string, given: string | undefined, sample: string): string => {
    if (given !== undefined && !isEmail(given))
      complaints.push(`${name} is "${given}"; give one e-mail address such as ${sample}.`)
    return given ?? sample
  }
  const server = text('SMTP_URL')
  return {
    mail: server === undefined ? { kind: 'outbox' } : readServer(server, complaints),
    mailFrom: readSender(text, publicUrl, complaints),
    supportEmail: email('SUPPORT_EMAIL', text('SUPPORT_EMAIL'), 'support@example.com'),
    operator: {
      name: text('OPERATOR_NAME') ?? 'Sample Operator',
      address: text('OPERATOR_ADDRESS') ?? '1 Sample Street, 1000 Sample Town',
      vat: text('OPERATOR_VAT') ?? 'SAMPLE 0000.000.000',
      email: email('OPERATOR_EMAIL', text('OPERATOR_EMAIL'), 'operator@example.com'),
    },
  }
}
