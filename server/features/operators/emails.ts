import { pages } from '@keepsnap/contract/site.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type Composer, emailContextOf, storedLanguage } from '../emails/compose.ts'
import { isSampleSupportEmail } from '../../ports/mail/mail-settings.ts'
import { messageForEmail, type ReceivedPayload } from './support-form.ts'

/** The emails that follow from a message to support. */
export const operatorEmails = (deps: Dependencies) => ({
  'support-message': messageComposer(deps),
  'support-received': receivedComposer(deps),
})

/** Composes the email to support, which is answered to the sender; not for a message that was deleted. */
const messageComposer = ({ guestRenderer, config }: Dependencies): Composer => ({
  async compose({ id }, tx) {
    const row = await messageForEmail(tx, id)
    if (!row) return 'obsolete'
    const email = guestRenderer.renderEmail(
      {
        kind: 'support-message',
        name: row.name,
        address: row.email,
        subject: row.subject,
        message: row.message,
        priority: row.is_priority,
        suspected: row.filled_honeypot,
        url: `${config.publicUrl}${pages.admin}#support`,
      },
      // Operators' pages are in English, too.
      await emailContextOf(tx, null, config),
    )
    return { ...email, replyTo: { name: row.name, address: row.email } }
  },
})

/** Composes the confirmation to the sender. It carries no text of the sender; docs/security.md T29. */
const receivedComposer = ({ guestRenderer, config }: Dependencies): Composer => ({
  async compose({ payload, user_id: userId }, tx) {
    const { at, language } = payload as unknown as ReceivedPayload // only `receiveMessage` writes it
    const context = { ...(await emailContextOf(tx, userId, config)), language: storedLanguage(language) }
    const email = guestRenderer.renderEmail({ kind: 'support-received', at }, context)
    return { ...email, ...(!isSampleSupportEmail(config) && { replyTo: { address: config.supportEmail } }) }
  },
})
