import type { Deps } from '../../deps.ts'
import type { Composer } from '../../letters/composers.ts'
import { archiveById } from './queries.ts'

/** The letter that brings the link of an archive. */
export function archiveLetter({ addresses, guest, config }: Pick<Deps, 'addresses' | 'guest' | 'config'>): Composer {
  return {
    async compose({ facts }, tx) {
      const { archiveId } = facts as unknown as { archiveId: string } // written by buildArchive alone
      const archive = await archiveById(tx, archiveId)
      if (!archive?.expires_at) return 'withdrawn'
      const url = addresses.archive(addresses.accountSecret('archive', archiveId))
      return guest.renderLetter(
        { kind: 'archive', url, expiresAt: archive.expires_at.toISOString() },
        { publicUrl: config.publicUrl, operator: config.operator },
      )
    },
  }
}
