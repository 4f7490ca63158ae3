import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Mail } from '../ports/mail/mail.ts'
import { outboxMail } from '../ports/mail/outbox.ts'
import { smtpMail } from '../ports/mail/smtp.ts'

/** How emails are sent by the settings. */
export const openMail = async ({ mail, mailFrom, dataDir, outboxMaxBytes }: Config): Promise<Mail> =>
  mail.kind === 'smtp'
    ? smtpMail({ ...mail, name: mailFrom.address.split('@')[1] ?? 'localhost' })
    : outboxMail(join(dataDir, 'outbox'), { maxBytes: outboxMaxBytes })
