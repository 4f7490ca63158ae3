import { encodeQR } from 'qr'
import type { Config } from './config.ts'
import { isMailOff, sampleSettings } from './ports/mail/mail-settings.ts'
import { isPrivateUrl } from './lib/private-url.ts'
import { isTestKey, paymentWarnings } from './ports/payments/payment-settings.ts'

export interface StartupInfo {
  config: Config
  /** The port that the server listens on. */
  port: number
  isolation: readonly string[] | undefined
  /** Where files are: a bucket of the settings may not be in use yet. */
  store: 'disk' | 's3'
  startedInMs: number
}

/** A warning when emails and legal pages would name a sample operator to the public. */
function operatorWarnings(config: Config): string[] {
  const names = sampleSettings(config)
  if (names.length === 0 || isPrivateUrl(config.publicUrl)) return []
  return [
    `${names.join(', ')}: not set. Emails, the Privacy Policy and the General Conditions show sample values instead of who runs this site. Set them before guests come.`,
  ]
}

/**
 * Warnings about a public URL that phones cannot reach or browsers consider insecure, about email and payments, and about
 * an operator who is not named.
 */
export function startupWarnings(config: Config): string[] {
  const { publicUrl, mail, payments } = config
  const { hostname, protocol } = new URL(publicUrl)
  const warnings = []
  if (/^(localhost|127\.|\[::1\])/.test(hostname)) {
    warnings.push(
      `QR codes point to ${publicUrl}, which phones cannot reach. Set PUBLIC_URL to the URL that guests use.`,
    )
  } else if (protocol === 'http:') {
    warnings.push(
      `QR codes point to ${publicUrl}, without https. That is fine in a venue's own network; on the internet, set PUBLIC_URL to an https URL.`,
    )
  }
  if (isMailOff({ publicUrl, mail }))
    warnings.push("Email isn't set up, so guests can't request photos. Set SMTP_URL and MAIL_FROM.")
  return [...warnings, ...paymentWarnings(payments, publicUrl), ...operatorWarnings(config)]
}

/** Warnings for a node that only serves or only works: data on this machine that other nodes need, too. */
export function nodeWarnings({ mail, publicUrl, storage, dataDir }: Config): string[] {
  const warnings = []
  if (storage.kind === 'disk')
    warnings.push(
      `Files are stored in ${dataDir}/files: all nodes must share this folder. On several machines, set the S3 settings instead.`,
    )
  if (mail.kind === 'outbox' && !isMailOff({ publicUrl, mail }))
    warnings.push(
      `Emails become files in ${dataDir}/outbox of the node that sends them, and count towards OUTBOX_MAX_MB there. On several machines, set SMTP_URL.`,
    )
  return warnings
}

/** Where emails go, without the credentials of the mail server. */
function describeMail({ mail, mailFrom, dataDir, publicUrl }: Config): string {
  if (mail.kind === 'smtp') return `through ${mail.host}, port ${mail.port}, from ${mailFrom.address}`
  return isMailOff({ mail, publicUrl }) ? 'not set up' : `files in ${dataDir}/outbox; set SMTP_URL to send emails`
}

function describePayments({ payments }: Config): string {
  if (payments.kind === 'off') return 'off: plans cannot be bought'
  if (payments.kind === 'demo') return 'demo: no money moves'
  return `by card at Stripe, ${isTestKey(payments) ? 'test mode' : 'live mode'}`
}

/** The text that a terminal shows once the server is ready: its URLs, a QR code, and where data is stored. */
export function startupBanner({ config, port, isolation, store, startedInMs }: StartupInfo): string {
  const bannerRows: [string, string][] = [
    ['On this machine', `http://localhost:${port}`],
    ['For guests', config.publicUrl],
    ['Data', config.databaseUrl ? 'the database of DATABASE_URL' : config.dataDir],
    [
      'Files',
      config.storage.kind === 's3' && store === 's3'
        ? `${config.storage.bucket} at ${config.storage.endpoint}`
        : `${config.dataDir}/files`,
    ],
    ['Mail', describeMail(config)],
    ['Payments', describePayments(config)],
    ...(isolation
      ? [
          [
            'Image processes',
            isolation.length ? isolation.join(', ') : 'separate processes without further isolation',
          ] satisfies [string, string],
        ]
      : []),
  ]
  const qrCode = encodeQR(config.publicUrl, 'term', { ecc: 'low', border: 2 })
  const bannerTable = bannerRows.map(([name, value]) => `  ${name.padEnd(16)} ${value}`).join('\n')
  const warnings = startupWarnings(config).map((warning) => `\n  ! ${warning}`)
  return `\n${qrCode}\n  Keepsnap is ready (${(startedInMs / 1000).toFixed(1)} s)\n\n${bannerTable}\n${warnings.join('')}\n  Stop it with Ctrl-C.\n\n`
}
