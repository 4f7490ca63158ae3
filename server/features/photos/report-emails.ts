import type { ReportEmail } from '@keepsnap/contract/guest.ts'
import type { Dependencies } from '../../dependencies.ts'
import { emailContextOf } from '../../domain/email-context.ts'
import type { Db } from '../../db/connect.ts'
import type { Composer } from '../../emails/composers.ts'
import { queueEmail } from '../../emails/queue-email.ts'
import { newId } from '../../lib/ids.ts'
import { lockUser } from './queries.ts'
import { lockReportEmails, reportEmailState, claimReportsOfPhoto, claimReportsOfOwner } from './report-email-queries.ts'

/**
 * Queues an email to the owner about a report that was just stored: at once, or, over a limit, as part of a digest when the
 * limit allows one more. The lock makes the limits exact.
 */
export async function queueReportEmail(
  tx: Db,
  { userId, photoId }: { userId: string; photoId: string },
): Promise<void> {
  await lockReportEmails(tx, userId)
  const state = await reportEmailState(tx, userId, photoId)
  if (!state || state.hasQueuedDigest) return
  const email = { id: newId(), userId, recipient: state.email, payload: {} }
  if (state.limitFreeAt === null) return queueEmail(tx, { ...email, kind: 'report', photoId })
  return queueEmail(tx, { ...email, kind: 'report-digest', dueAt: state.limitFreeAt })
}

/**
 * Locks an owner's account and reports for the rest of the transaction. So a report is stored either before an email is
 * composed and is part of it, or afterwards and gets another email. False when the account is deleted.
 */
export async function lockOwnerReports(tx: Db, userId: string): Promise<boolean> {
  if (!(await lockUser(tx, userId))) return false
  await lockReportEmails(tx, userId)
  return true
}

type EmailDependencies = Pick<Dependencies, 'urls' | 'guestRenderer' | 'config'>

/** Composes both kinds. They are not sent when nothing needs the owner's decision any more. */
export function reportEmailComposers({ urls, guestRenderer, config }: EmailDependencies): {
  report: Composer
  'report-digest': Composer
} {
  const render = async (tx: Db, userId: string, email: Pick<ReportEmail, 'kind' | 'photos' | 'photo'>) =>
    guestRenderer.renderEmail({ ...email, url: urls.reportsPage() }, await emailContextOf(tx, userId, config))
  return {
    report: {
      async compose({ id: emailId, user_id: userId, photo_id: photoId }, tx) {
        if (userId === null || photoId === null || !(await lockOwnerReports(tx, userId))) return 'obsolete'
        const photo = await claimReportsOfPhoto(tx, { emailId, photoId })
        return photo ? render(tx, userId, { kind: 'report', photos: 1, photo }) : 'obsolete'
      },
    },
    'report-digest': {
      async compose({ id: emailId, user_id: userId }, tx) {
        if (userId === null || !(await lockOwnerReports(tx, userId))) return 'obsolete'
        const photos = await claimReportsOfOwner(tx, { emailId, userId })
        const [first] = photos
        if (!first) return 'obsolete'
        const photo = photos.length === 1 ? first : null
        return render(tx, userId, { kind: 'report-digest', photos: photos.length, photo })
      },
    },
  }
}
