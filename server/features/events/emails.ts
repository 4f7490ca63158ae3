import type { GuestPhotosEmail } from '@keepsnap/contract/emails.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type Composer, emailContextOf } from '../emails/compose.ts'
import { waitingCount } from './guest-counts.ts'

/** The emails to owners about photos of guests. */
export const eventEmails = (deps: Dependencies) => ({
  'review-waiting': guestPhotosComposer(deps, 'review-waiting'),
  'guests-full': guestPhotosComposer(deps, 'guests-full'),
})

/** By what is true when it is sent: none once everything is reviewed, or its reader has switched such emails off. */
const guestPhotosComposer = (
  { guestRenderer, config, urls }: Dependencies,
  kind: GuestPhotosEmail['kind'],
): Composer => ({
  async compose({ user_id: userId, payload }, tx) {
    if (userId === null) return 'obsolete'
    const { eventId } = payload as { eventId: string } // only guest-counts.ts and clean-up.ts write it
    const event = await tx
      .selectFrom('events')
      .innerJoin('users', 'users.id', 'events.user_id')
      .select('events.name')
      .where('events.id', '=', eventId)
      .where('users.id', '=', userId)
      .where('users.is_active', '=', true)
      .where('review_emails', '=', true)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    const photos = await waitingCount(tx, eventId)
    if (!event || (kind === 'review-waiting' && photos === 0)) return 'obsolete'
    return guestRenderer.renderEmail(
      { kind, event: event.name, photos, url: urls.reviewPage(eventId), settingsUrl: urls.ownEventPage(eventId) },
      await emailContextOf(tx, userId, config),
    )
  },
})
