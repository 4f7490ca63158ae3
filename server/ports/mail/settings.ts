import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { isEmail } from '@keepsnap/contract/emails.ts'
import { isPrivateUrl } from '../../lib/private-url.ts'

/** How emails are sent: written to a folder, or through a mail server. */
export type MailConfig =
  | { kind: 'outbox' }
  | {
      kind: 'smtp'
      host: string
      port: number
      /** TLS from the first byte; otherwise STARTTLS when the server offers it. */
      secure: boolean
      user: string | undefined
      secretPassword: string | undefined
    }

/** The settings of emails: how they are sent, and which names and addresses they contain. */
export interface MailSettings {
  mail: MailConfig
  /** The sender of all emails. */
  mailFrom: { name: string; address: string }
  supportEmail: string
  /** The operator of this server, for emails and legal pages. */
  operator: { name: string; address: string; vat: string; email: string }
}

/** Whether guests cannot request photos: on the internet, emails in a folder reach nobody. */
export const isMailOff = ({ mail, publicUrl }: Pick<MailSettings, 'mail'> & { publicUrl: string }): boolean =>
  mail.kind === 'outbox' && !isPrivateUrl(publicUrl)

/** Reads a setting; undefined when it is missing or empty. */
type ReadText = (name: string) => string | undefined

const ports = { 'smtp:': 25, 'smtps:': 465 } as const
const smtpFix = 'give the URL of a mail server such as smtp://user:password@mail.example.com:587'

function decodeOrUndefined(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function readMailServer(given: string, problems: string[]): MailConfig {
  const url = URL.canParse(given) ? new URL(given) : undefined
  const scheme = url?.protocol === 'smtp:' || url?.protocol === 'smtps:' ? url.protocol : undefined
  const user = url && decodeOrUndefined(url.username)
  const password = url && decodeOrUndefined(url.password)
  const hasNoPath = url && (url.pathname === '' || url.pathname === '/') && !url.search && !url.hash
  if (!url || !scheme || !hasNoPath || !url.hostname || user === undefined || password === undefined) {
    // The value may contain a password, so the message does not repeat it.
    problems.push(
      `SMTP_URL is not an smtp:// or smtps:// URL; ${smtpFix}. Percent-encode special characters, such as %40 for @.`,
    )
    return { kind: 'outbox' }
  }
  if (!user !== !password)
    problems.push(`SMTP_URL has a user without a password, or a password without a user; ${smtpFix}.`)
  return {
    kind: 'smtp',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : ports[scheme],
    secure: scheme === 'smtps:',
    user: user || undefined,
    secretPassword: password || undefined,
  }
}

/** Parses "Name <address>" or "address", with the domain converted to ASCII. Undefined for anything else. */
function parseSender(given: string): MailSettings['mailFrom'] | undefined {
  const match = /^(?:"?([^"<>]*?)"?\s*<([^<>\s]+)>|([^<>\s]+))$/.exec(given)
  const written = match?.[2] ?? match?.[3] ?? ''
  const at = written.lastIndexOf('@')
  const address = `${written.slice(0, at)}@${domainToASCII(written.slice(at + 1))}`
  // oxlint-disable-next-line no-control-regex -- control characters must be rejected
  return isEmail(address) && !/[\x00-\x1f\x7f]/.test(given) ? { name: match?.[1] || 'Keepsnap', address } : undefined
}

/** A host without a domain name cannot send emails; `.invalid` (RFC 2606) makes that clear. */
function defaultSender(publicUrl: string): MailSettings['mailFrom'] {
  const { hostname } = new URL(publicUrl)
  const isDomain = !isIP(hostname) && !hostname.startsWith('[') && hostname.includes('.')
  return { name: 'Keepsnap', address: `photos@${isDomain ? hostname : 'keepsnap.invalid'}` }
}

function readSender(text: ReadText, publicUrl: string, problems: string[]): MailSettings['mailFrom'] {
  const given = text('MAIL_FROM')
  const sender = given === undefined ? defaultSender(publicUrl) : parseSender(given)
  if (!sender) problems.push(`MAIL_FROM is "${given}"; give one address such as Keepsnap <photos@photos.example.com>.`)
  else if (given === undefined && text('SMTP_URL') && sender.address.endsWith('.invalid'))
    problems.push(
      'MAIL_FROM must be set when SMTP_URL is and PUBLIC_URL has no domain name; give the address that sends emails.',
    )
  return sender ?? defaultSender(publicUrl)
}

/** Reads SMTP_URL, MAIL_FROM, SUPPORT_EMAIL and OPERATOR_*. Missing SUPPORT_EMAIL and OPERATOR_* get sample values. */
export function readMailSettings(text: ReadText, publicUrl: string, problems: string[]): MailSettings {
  const email = (name: string, given: string | undefined, sample: string): string => {
    if (given !== undefined && !isEmail(given))
      problems.push(`${name} is "${given}"; give one email address such as ${sample}.`)
    return given ?? sample
  }
  const server = text('SMTP_URL')
  return {
    mail: server === undefined ? { kind: 'outbox' } : readMailServer(server, problems),
    mailFrom: readSender(text, publicUrl, problems),
    supportEmail: email('SUPPORT_EMAIL', text('SUPPORT_EMAIL'), 'support@example.com'),
    operator: {
      name: text('OPERATOR_NAME') ?? 'Sample Operator',
      address: text('OPERATOR_ADDRESS') ?? '1 Sample Street, 1000 Sample Town',
      vat: text('OPERATOR_VAT') ?? 'SAMPLE 0000.000.000',
      email: email('OPERATOR_EMAIL', text('OPERATOR_EMAIL'), 'operator@example.com'),
    },
  }
}
