import { encodeQR } from 'qr'
import type { Config } from './config.ts'

export interface Readiness {
  config: Config
  /** The port that was really taken. */
  port: number
  isolation: readonly string[] | undefined
  startedInMs: number
}

/** Warnings about addresses that guests' phones will not reach, or that browsers treat as unsafe. */
export function addressWarnings(publicUrl: string): string[] {
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
  return warnings
}

/** Where letters go, without the sign-in to the mail server. */
const mailPlace = ({ mail, mailFrom, dataDir }: Config): string =>
  mail.kind === 'smtp'
    ? `through ${mail.host}, port ${mail.port}, from ${mailFrom.address}`
    : `files in ${dataDir}/outbox; set SMTP_URL to send letters`

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
  const warnings = addressWarnings(config.publicUrl).map((warning) => `\n  ! ${warning}`)
  return `\n${code}\n  Keepsnap is ready (${(startedInMs / 1000).toFixed(1)} s)\n\n${table}\n${warnings.join('')}\n  Stop it with Ctrl-C.\n\n`
}
