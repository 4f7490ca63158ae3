import { pages } from '@keepsnap/contract/pages.ts'
import type { EmailContext } from '@keepsnap/contract/guest.ts'
import type { Dependencies } from '../../dependencies.ts'
import { timeZoneOf } from '../../domain/time-zones.ts'
import type { Composer } from '../../emails/composers.ts'
import { isSampleSupportEmail } from '../../ports/mail/mail-settings.ts'
import { messageForEmail } from './queries.ts'
import type { ReceivedPayload } from './receive-message.ts'

type EmailDependencies = Pick<Dependencies, 'guestRenderer' | 'config'>

/** Composes the email to support, which is answered to the sender; not for a message that was deleted. */
const messageComposer = ({ guestRenderer, config }: EmailDependencies): Composer => ({
  async compose({ id }, tx) {
    const row = await messageForEmail(tx, id)
    if (!row) return 'obsolete'
    const { publicUrl, operator } = config
    const email = guestRenderer.renderEmail(
      {
        kind: 'support-message',
        name: row.name,
        address: row.email,
        subject: row.subject,
        message: row.message,
        priority: row.is_priority,
        suspected: row.filled_honeypot,
        url: `${publicUrl}${pages.admin}#support`,
      },
      { publicUrl, operator },
    )
    return { ...email, replyTo: { name: row.name, address: row.email } }
  },
})

/** Composes the confirmation to the sender. It carries no text of the sender; docs/security.md T29. */
const receivedComposer = ({ guestRenderer, config }: EmailDependencies): Composer => ({
  async compose({ payload, user_id: userId }, tx) {
    const { at } = payload as unknown as ReceivedPayload // only `receiveMessage` writes it
    const timeZone = userId === null ? null : await timeZoneOf(tx, userId)
    const frame: EmailContext = { publicUrl: config.publicUrl, operator: config.operator, timeZone }
    const email = guestRenderer.renderEmail({ kind: 'support-received', at }, frame)
    return { ...email, ...(!isSampleSupportEmail(config) && { replyTo: { address: config.supportEmail } }) }
  },
})

/** The emails that follow from a message to support. */
export const supportEmailComposers = (deps: EmailDependencies) => ({
  'support-message': messageComposer(deps),
  'support-received': receivedComposer(deps),
})
