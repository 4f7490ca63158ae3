import { pages } from '@keepsnap/contract/site.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type Composer, emailContextOf } from '../emails/compose.ts'
import type { WebhookDisabledPayload } from './webhook-deliveries.ts'

/** The emails about webhooks. */
export const integrationEmails = (deps: Dependencies) => ({ 'webhook-disabled': webhookDisabledComposer(deps) })

/** A webhook that was switched off; not once it is on again or deleted. */
const webhookDisabledComposer = ({ config, guestRenderer }: Dependencies): Composer => ({
  async compose({ payload, user_id: userId }, tx) {
    // Only `disableWebhook` writes it.
    const { webhookId, host, failingSince } = payload as unknown as WebhookDisabledPayload
    if (userId === null) return 'obsolete'
    const webhook = await tx
      .selectFrom('webhooks')
      .innerJoin('users', 'users.id', 'webhooks.user_id')
      .select('webhooks.id')
      .where('webhooks.id', '=', webhookId)
      .where('disabled_because', '=', 'failing')
      .where('users.is_active', '=', true)
      .executeTakeFirst()
    if (!webhook) return 'obsolete'
    const url = `${config.publicUrl}${pages.settings}#api`
    return guestRenderer.renderEmail(
      { kind: 'webhook-disabled', host, failingSince, url },
      await emailContextOf(tx, userId, config),
    )
  },
})
