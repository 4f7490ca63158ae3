import { sql } from 'kysely'
import { pages } from '@keepsnap/contract/pages.ts'
import type { Dependencies } from '../../dependencies.ts'
import { emailContextOf } from '../../domain/email-context.ts'
import type { Composer } from '../../emails/composers.ts'

type EmailDependencies = Pick<Dependencies, 'guestRenderer' | 'config' | 'urls'>

interface Decided {
  filename: string
  at: Date
  message: string | null
  hidden: boolean
}

/** Composes the emails about decisions of operators; none for a superseded decision or a deleted photo. */
export function operatorDecisionComposers({ guestRenderer, config, urls }: EmailDependencies): {
  'photo-hidden': Composer
  'photo-shown': Composer
} {
  const composerOf = (kind: 'photo-hidden' | 'photo-shown'): Composer => ({
    async compose({ user_id: userId, photo_id: photoId, payload }, tx) {
      if (userId === null || photoId === null) return 'obsolete'
      const { at: decidedAt } = payload as { at: string } // only `queueDecisionEmail` writes it
      const { rows } = await sql<Decided>`
        select filename, operator_decided_at as at, operator_message as message, hidden_at is not null as hidden
        from photos join users on users.id = photos.user_id
        where photos.id = ${photoId} and users.id = ${userId} and users.is_active and photos.deleted_at is null
          and operator_decision = ${kind === 'photo-hidden' ? 'hide' : 'show'}
          and operator_decided_at = ${decidedAt}::timestamptz`.execute(tx)
      const [photo] = rows
      if (!photo) return 'obsolete'
      const { filename, at, message, hidden } = photo
      const url = kind === 'photo-hidden' ? `${config.publicUrl}${pages.support}` : urls.galleryPhoto(photoId)
      return guestRenderer.renderEmail(
        { kind, filename, at: at.toISOString(), message, stillHidden: hidden, url },
        await emailContextOf(tx, userId, config),
      )
    },
  })
  return { 'photo-hidden': composerOf('photo-hidden'), 'photo-shown': composerOf('photo-shown') }
}
