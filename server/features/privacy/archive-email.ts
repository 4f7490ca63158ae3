import type { Dependencies } from '../../dependencies.ts'
import { emailContextOf } from '../../domain/email-context.ts'
import type { Composer } from '../../emails/composers.ts'
import { archiveById } from './queries.ts'

/** Composes the email with the link of an archive. */
export function archiveEmailComposer({
  urls,
  tokens,
  guestRenderer,
  config,
}: Pick<Dependencies, 'urls' | 'tokens' | 'guestRenderer' | 'config'>): Composer {
  return {
    async compose({ payload, user_id: userId }, tx) {
      const { archiveId } = payload as unknown as { archiveId: string } // only buildArchive writes it
      const archive = await archiveById(tx, archiveId)
      if (!archive?.expires_at) return 'obsolete'
      const url = urls.archiveDownload(tokens.account('archive', archiveId, archive.secret_hash ?? undefined))
      return guestRenderer.renderEmail(
        { kind: 'archive', url, expiresAt: archive.expires_at.toISOString() },
        await emailContextOf(tx, userId, config),
      )
    },
  }
}
