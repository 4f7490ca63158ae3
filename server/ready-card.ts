import { encodeQR } from 'qr'
import type { Config } from './config.ts'
import { isMailOff } from './mail-settings.ts'

export interface Readiness {
  config: Config
  /** The port that was really taken. */
  port: number
  isolation: readonly string[] | undefined
  startedInMs: number
}

/** Warnings about addresses that guests' phones will not reach or that browsers treat as unsafe, and about mail that goes nowhere. */
export function warningsOf({ publicUrl, mail }: Pick<Config, 'publicUrl' | 'mail'>): string[] {
  const { hostname, protocol } = new URL(publicUrl)
  const warnings = []
  if (/^(localhost|127\.|\[::1\])/.test(hostname)) {
    warnings.push(
      `Codes point to ${publicUrl}, which phones cannot reach. Set PUBLIC_URL to the address that guests use.`,
    )
  } else if (protocol === 'http:') {
    warnings.push(
      `Codes point to ${publicUrl}, without https. Fine in a venue's own network; on the internet set PUBLIC_URL to an https address.`,
    )
  }
  if (isMailOff({ publicUrl, mail }))
    warnings.push('Mail is not set up, so guests cannot ask for photos by e-mail. Set SMTP_URL and MAIL_FROM.')
  return warnings
}

/** Where letters go, without the sign-in to the mail server. */
function mailPlace({ mail, mailFrom, dataDir, publicUrl }: Config): string {
  if (mail.kind === 'smtp') return `through ${mail.host}, port ${mail.port}, from ${mailFrom.address}`
  return isMailOff({ mail, publicUrl }) ? 'not set up' : `files in ${dataDir}/outbox; set SMTP_URL to send letters`
}

/** What a person at the terminal needs to go on: where it runs, its code, where things are. */
export function readyCard({ config, port, isolation, startedInMs }: Readiness): string {
  const rows: [string, string][] = [
    ['On this machine', `http://localhost:${port}`],
    ['For guests', config.publicUrl],
    ['Data', config.databaseUrl ? 'the database of DATABASE_URL' : config.dataDir],
    [
      'Files',
      config.storage.kind === 's3'
        ? `${config.storage.bucket} at ${config.storage.endpoint}`
        : `${config.dataDir}/files`,
    ],
    ['Mail', mailPlace(config)],
    ...(isolation
      ? [
          [
            'Image processes',
            isolation.length ? isolation.join(', ') : 'no isolation beyond processes of their own',
          ] satisfies [string, string],
        ]
      : []),
  ]
  const code = encodeQR(config.publicUrl, 'term', { ecc: 'low', border: 2 })
  const table = rows.map(([name, value]) => `  ${name.padEnd(16)} ${value}`).join('\n')
  const warnings = warningsOf(config).map((warning) => `\n  ! ${warning}`)
  return `\n${code}\n  Keepsnap is ready (${(startedInMs / 1000).toFixed(1)} s)\n\n${table}\n${warnings.join('')}\n  Stop it with Ctrl-C.\n\n`
}
