import { storageBytes } from '@keepsnap/contract/plans.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { archiveMinDays, pendingRemovalOf, restorablePhotosOf } from '../../domain/over-limit-photos.ts'
import { planOf } from '../../domain/plans.ts'
import { emailContextOf } from '../../domain/email-context.ts'
import type { Composer, EmailRow } from '../../emails/composers.ts'
import { enqueue } from '../../jobs/queue.ts'

type EmailDependencies = Pick<Dependencies, 'urls' | 'tokens' | 'guestRenderer' | 'config'>

/** How long an email waits for the archive that it links to; after that it is sent without the link. */
const archiveWaitHours = 6

interface ArchiveState {
  /** Null while it is not ready. */
  expiresAt: Date | null
  id: string | null
  /** The hash of the token in its download link. */
  secretHash: Buffer | null
  isAwaited: boolean
}

/** The archive that an email may link to, or whether it is worth waiting for one. */
async function archiveFor(tx: Db, { id: emailId, user_id: userId }: EmailRow): Promise<ArchiveState | undefined> {
  const { rows } = await sql<ArchiveState>`
    select archives.id, archives.secret_hash as "secretHash",
      case when archives.state = 'ready' and archives.expires_at > now() + make_interval(days => ${archiveMinDays})
        then archives.expires_at end as "expiresAt",
      emails.created_at > now() - make_interval(hours => ${archiveWaitHours})
        and not (coalesce(archives.state = 'failed', false) and archives.requested_at >= emails.created_at) as "isAwaited"
    from emails left join archives on archives.user_id = emails.user_id
    where emails.id = ${emailId} and emails.user_id = ${userId}`.execute(tx)
  return rows[0]
}

async function isUserActive(tx: Db, userId: string): Promise<boolean> {
  const user = await tx.selectFrom('users').select('is_active').where('id', '=', userId).executeTakeFirst()
  return user?.is_active === true
}

/** Announces a removal with what would be removed at the time of sending. Not sent when nothing would be. */
const removalComposer = (deps: EmailDependencies): Composer => ({
  async compose(row, tx) {
    const { user_id: userId } = row
    if (userId === null || !(await isUserActive(tx, userId))) return 'obsolete'
    const pending = await pendingRemovalOf(tx, userId)
    if (!pending) return 'obsolete'
    const archive = await archiveFor(tx, row)
    if (!archive?.expiresAt && archive?.isAwaited) return 'not ready'
    const plan = planOf(pending)
    return deps.guestRenderer.renderEmail(
      {
        kind: 'removal',
        photos: pending.photos,
        bytes: pending.bytes,
        storedBytes: pending.storedBytes,
        planName: plan.name,
        planBytes: storageBytes(plan),
        removeAt: pending.removeAt.toISOString(),
        archive:
          (archive?.expiresAt &&
            archive.id !== null && {
              url: deps.urls.archiveDownload(
                deps.tokens.account('archive', archive.id, archive.secretHash ?? undefined),
              ),
              expiresAt: archive.expiresAt.toISOString(),
            }) ||
          null,
      },
      await emailContextOf(tx, userId, deps.config),
    )
  },
  async onStatusChange(tx, { state, user_id: userId }) {
    // The next email may be due as well, or the removal.
    if (state !== 'sent' || userId === null) return
    await enqueue(tx, { name: 'check-kept-photos', payload: {}, key: 'check-kept-photos' })
  },
})

/** Says what was removed and until when it can be restored. Not sent once it has been restored. */
const removedComposer = (deps: EmailDependencies): Composer => ({
  async compose({ user_id: userId }, tx) {
    if (userId === null || !(await isUserActive(tx, userId))) return 'obsolete'
    const removed = await restorablePhotosOf(tx, userId)
    if (!removed) return 'obsolete'
    const plan = planOf(removed)
    return deps.guestRenderer.renderEmail(
      {
        kind: 'removed',
        photos: removed.photos,
        bytes: removed.bytes,
        planName: plan.name,
        planBytes: storageBytes(plan),
        restorableUntil: removed.until.toISOString(),
      },
      await emailContextOf(tx, userId, deps.config),
    )
  },
})

/** The emails about photos that do not fit into a plan. */
export const keepingEmailComposers = (deps: EmailDependencies) => ({
  removal: removalComposer(deps),
  removed: removedComposer(deps),
})
