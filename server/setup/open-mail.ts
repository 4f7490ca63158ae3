import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import type { Config } from '../config.ts'
import type { Mail } from '../ports/mail/mail.ts'
import { outboxMail } from '../ports/mail/outbox.ts'
import { smtpMail } from '../ports/mail/smtp.ts'
import { StartupError } from '../runtime/startup-error.ts'

/**
 * How emails are sent by the settings. Node itself reads NODE_EXTRA_CA_CERTS too, but only from the environment that it is
 * started with, not from `.env`, and does not say so when it cannot read the file.
 * @throws StartupError when that file has no certificates
 */
export async function openMail({ mail, mailFrom, dataDir, outboxMaxBytes }: Config): Promise<Mail> {
  if (mail.kind === 'outbox') return outboxMail(join(dataDir, 'outbox'), { maxBytes: outboxMaxBytes })
  const { extraCertificatesFile: file, ...server } = mail
  const extra = file === undefined ? undefined : await readFile(file, 'utf8').catch(() => '')
  if (extra !== undefined && !extra.includes('-----BEGIN CERTIFICATE-----'))
    throw new StartupError(
      `NODE_EXTRA_CA_CERTS is ${file}, which cannot be read or has no certificate; give a file with certificates in the format PEM.`,
    )
  const certificates = extra === undefined ? undefined : [...rootCertificates, extra]
  return smtpMail({ ...server, certificates, name: mailFrom.address.split('@')[1] ?? 'localhost' })
}
