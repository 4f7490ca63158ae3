import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { isEmail } from '@keepsnap/contract/form-rules.ts'
import { isPrivateUrl } from '../../lib/private-url.ts'

/** How emails are sent: written to a folder, or through a mail server. */
type MailConfig =
  | { kind: 'outbox' }
  | {
      kind: 'smtp'
      host: string
      port: number
      /** TLS from the first byte; otherwise STARTTLS when the server offers it. */
      secure: boolean
      user: string | undefined
      secretPassword: string | undefined
      /** A file with certificates (PEM) that are trusted besides those of Node. */
      extraCertificatesFile: string | undefined
    }

/** The settings of emails: how they are sent, and which names and addresses they contain. */
export interface MailSettings {
  mail: MailConfig
  /** The sender of all emails. */
  mailFrom: { name: string; address: string }
  /** Where messages to support go. */
  supportEmail: string
  /** The operator of this server, for emails and legal pages. */
  operator: { name: string; address: string; vat: string; email: string }
  /** Who works on this installation, for the page About; empty when it is not set. */
  team: TeamMember[]
}

/** A person, or several, and what they do. */
interface TeamMember {
  role: string
  name: string
}

/** Whether guests cannot request photos: on the internet, emails in a folder reach nobody. */
export const isMailOff = ({ mail, publicUrl }: Pick<MailSettings, 'mail'> & { publicUrl: string }): boolean =>
  mail.kind === 'outbox' && !isPrivateUrl(publicUrl)

/** Reads a setting; undefined when it is missing or empty. */
type ReadSetting = (name: string) => string | undefined

const defaultSmtpPorts = { 'smtp:': 25, 'smtps:': 465 } as const
const smtpFix = 'give the URL of a mail server such as smtp://user:password@mail.example.com:587'

function decodeOrUndefined(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function readMailServer(setting: string, extraCertificatesFile: string | undefined, problems: string[]): MailConfig {
  const smtpUrl = URL.canParse(setting) ? new URL(setting) : undefined
  const scheme = smtpUrl?.protocol === 'smtp:' || smtpUrl?.protocol === 'smtps:' ? smtpUrl.protocol : undefined
  const user = smtpUrl && decodeOrUndefined(smtpUrl.username)
  const password = smtpUrl && decodeOrUndefined(smtpUrl.password)
  const hasNoPath = smtpUrl && (smtpUrl.pathname === '' || smtpUrl.pathname === '/') && !smtpUrl.search && !smtpUrl.hash
  if (!smtpUrl || !scheme || !hasNoPath || !smtpUrl.hostname || user === undefined || password === undefined) {
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
    host: smtpUrl.hostname.replace(/^\[|\]$/g, ''),
    port: smtpUrl.port ? Number(smtpUrl.port) : defaultSmtpPorts[scheme],
    secure: scheme === 'smtps:',
    user: user || undefined,
    secretPassword: password || undefined,
    extraCertificatesFile,
  }
}

/** Parses "Name <address>" or "address", with the domain converted to ASCII. Undefined for anything else. */
function parseSender(mailFrom: string): MailSettings['mailFrom'] | undefined {
  const nameAndAddress = /^(?:"?([^"<>]*)(?:"\s*)?<([^<>\s]+)>|([^<>\s]+))$/.exec(mailFrom)
  const givenAddress = nameAndAddress?.[2] ?? nameAndAddress?.[3] ?? ''
  const at = givenAddress.lastIndexOf('@')
  const address = `${givenAddress.slice(0, at)}@${domainToASCII(givenAddress.slice(at + 1))}`
  // oxlint-disable-next-line no-control-regex -- control characters must be rejected
  return isEmail(address) && !/[\x00-\x1f\x7f]/.test(mailFrom)
    ? { name: nameAndAddress?.[1]?.trim() || 'Keepsnap', address }
    : undefined
}

/** A host without a domain name cannot send emails; `.invalid` (RFC 2606) makes that clear. */
function defaultSender(publicUrl: string): MailSettings['mailFrom'] {
  const { hostname } = new URL(publicUrl)
  const isDomain = !isIP(hostname) && !hostname.startsWith('[') && hostname.includes('.')
  return { name: 'Keepsnap', address: `photos@${isDomain ? hostname : 'keepsnap.invalid'}` }
}

function readSender(readSetting: ReadSetting, publicUrl: string, problems: string[]): MailSettings['mailFrom'] {
  const mailFrom = readSetting('MAIL_FROM')
  const sender = mailFrom === undefined ? defaultSender(publicUrl) : parseSender(mailFrom)
  if (!sender)
    problems.push(`MAIL_FROM is "${mailFrom}"; give one address such as Keepsnap <photos@photos.example.com>.`)
  else if (mailFrom === undefined && readSetting('SMTP_URL') && sender.address.endsWith('.invalid'))
    problems.push(
      'MAIL_FROM must be set when SMTP_URL is and PUBLIC_URL has no domain name; give the address that sends emails.',
    )
  return sender ?? defaultSender(publicUrl)
}

/** What stands for SUPPORT_EMAIL and OPERATOR_* until they are set. */
const samples = {
  supportEmail: 'support@example.com',
  name: 'Sample Operator',
  address: '1 Sample Street, 1000 Sample Town',
  vat: 'SAMPLE 0000.000.000',
  email: 'operator@example.com',
}

/** The settings that still have their sample values. */
export function sampleSettings({ operator, supportEmail }: Pick<MailSettings, 'operator' | 'supportEmail'>): string[] {
  const settings: Record<string, string> = {
    OPERATOR_NAME: operator.name,
    OPERATOR_ADDRESS: operator.address,
    OPERATOR_VAT: operator.vat,
    OPERATOR_EMAIL: operator.email,
    SUPPORT_EMAIL: supportEmail,
  }
  const values: readonly string[] = Object.values(samples)
  return Object.keys(settings).filter((name) => values.includes(settings[name] ?? ''))
}

/** Whether one of these settings still has its sample value, so that legal pages cannot name the operator. */
export const isSampleOperator = (settings: Pick<MailSettings, 'operator' | 'supportEmail'>): boolean =>
  sampleSettings(settings).length > 0

/** Whether nobody has set an address for support. */
export const isSampleSupportEmail = ({ supportEmail }: Pick<MailSettings, 'supportEmail'>): boolean =>
  supportEmail === samples.supportEmail

const maxTeamRoles = 20
const maxTeamChars = 100

/** Reads OPERATOR_TEAM: "Role: Name; Role: Name". Names are shown on the page About. */
function readTeam(readSetting: ReadSetting, problems: string[]): TeamMember[] {
  const setting = readSetting('OPERATOR_TEAM')
  if (setting === undefined) return []
  const parts = setting.split(';').filter((part) => part.trim() !== '')
  const team = parts.map((part) => {
    const [role = '', ...name] = part.split(':')
    return { role: role.trim(), name: name.join(':').trim() }
  })
  const isGood = ({ role, name }: TeamMember): boolean =>
    [role, name].every((text) => text !== '' && text.length <= maxTeamChars && !/\p{Cc}/u.test(text))
  if (team.length > 0 && team.length <= maxTeamRoles && team.every(isGood)) return team
  problems.push(
    `OPERATOR_TEAM is "${setting}"; give up to ${maxTeamRoles} roles with names of up to ${maxTeamChars} characters, such as Support: Ann Peeters; Photography: Bert Claes.`,
  )
  return []
}

/**
 * Reads SMTP_URL, NODE_EXTRA_CA_CERTS, MAIL_FROM, SUPPORT_EMAIL and OPERATOR_*. Without SUPPORT_EMAIL, messages to support go to OPERATOR_EMAIL;
 * what is missing then gets sample values.
 */
export function readMailSettings(readSetting: ReadSetting, publicUrl: string, problems: string[]): MailSettings {
  const readEmail = (name: string, sample: string): string => {
    const email = readSetting(name)
    if (email !== undefined && !isEmail(email))
      problems.push(`${name} is "${email}"; give one email address such as ${sample}.`)
    return email ?? sample
  }
  const smtpUrl = readSetting('SMTP_URL')
  const certificatesFile = readSetting('NODE_EXTRA_CA_CERTS')
  const operatorEmail = readSetting('OPERATOR_EMAIL')
  return {
    mail: smtpUrl === undefined ? { kind: 'outbox' } : readMailServer(smtpUrl, certificatesFile, problems),
    mailFrom: readSender(readSetting, publicUrl, problems),
    supportEmail: readEmail('SUPPORT_EMAIL', operatorEmail ?? samples.supportEmail),
    operator: {
      name: readSetting('OPERATOR_NAME') ?? samples.name,
      address: readSetting('OPERATOR_ADDRESS') ?? samples.address,
      vat: readSetting('OPERATOR_VAT') ?? samples.vat,
      email: readEmail('OPERATOR_EMAIL', samples.email),
    },
    team: readTeam(readSetting, problems),
  }
}
