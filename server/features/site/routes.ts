import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { siteInfo } from '@keepsnap/contract/site.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Serve } from '../../http/serve.ts'
import { isSampleOperator } from '../../ports/mail/mail-settings.ts'

/** Serves what public pages say about this installation. Only settings: it needs no database. */
export function siteRoutes(serve: Serve, { config }: Pick<Dependencies, 'config'>): void {
  const facts: Reply<typeof siteInfo> = {
    operator: { ...config.operator, is_sample: isSampleOperator(config) },
    team: config.team,
    support_email: config.supportEmail,
    emails: config.mail.kind,
    payments: config.payments.kind,
    storage_host: config.storage.kind === 's3' ? new URL(config.storage.endpoint).host : null,
    analytics: config.analytics,
  }
  serve(siteInfo, async () => facts)
}
