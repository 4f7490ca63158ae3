import type { EmailContext, LinkEmail, NoticeEmail } from '@keepsnap/contract/guest.ts'
import type { Db } from '../../db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { timeZoneOf } from '../../domain/time-zones.ts'
import type { Composer, EmailRow } from '../../emails/composers.ts'
import { startLinkLifetime, type LinkKind } from './email-links.ts'

type EmailDependencies = Pick<Dependencies, 'urls' | 'tokens' | 'guestRenderer' | 'config'>

/** What `sendLink` stored. */
const linkPayload = ({ payload }: EmailRow) => payload as unknown as { linkId: string; changed: boolean } // only sendLink writes it
/** What `queueEmail` was given for a notice; the time zone is in that about a deleted account. */
const noticePayload = ({ payload }: EmailRow) =>
  payload as unknown as { at: string; newEmail?: string; timeZone?: string | null } // every notice has these fields

/** The frame of an email, with the time zone of the account that it is about. */
async function emailFrameOf(
  { config }: EmailDependencies,
  tx: Db,
  { user_id: userId }: EmailRow,
): Promise<EmailContext> {
  const timeZone = userId === null ? null : await timeZoneOf(tx, userId)
  return { publicUrl: config.publicUrl, operator: config.operator, timeZone }
}

/** Composes an email with a link that works once. It is not sent when its link was used or replaced meanwhile. */
function linkComposer(deps: EmailDependencies, kind: LinkKind): Composer {
  const { urls, tokens, guestRenderer } = deps
  return {
    async compose(row, tx) {
      const { linkId, changed } = linkPayload(row)
      const expiresAt = await startLinkLifetime(tx, kind, linkId)
      if (!expiresAt) return 'obsolete'
      const token = tokens.account(kind, linkId)
      const url = kind === 'reset' ? urls.resetPage(token) : urls.verifyPage(token)
      const email: LinkEmail = { kind, url, expiresAt: expiresAt.toISOString(), ...(changed && { changed }) }
      return guestRenderer.renderEmail(email, await emailFrameOf(deps, tx, row))
    },
  }
}

/** Composes an email that informs about a change. */
const noticeComposer = (deps: EmailDependencies, kind: NoticeEmail['kind']): Composer => ({
  async compose(row, tx) {
    const { at, newEmail, timeZone } = noticePayload(row)
    const frame = await emailFrameOf(deps, tx, row)
    const email = { kind, at, ...(newEmail !== undefined && { newEmail }) }
    return deps.guestRenderer.renderEmail(email, timeZone === undefined ? frame : { ...frame, timeZone })
  },
})

/** The emails about an account. They contain no promotion. */
export const accountEmailComposers = (deps: EmailDependencies) => ({
  reset: linkComposer(deps, 'reset'),
  verify: linkComposer(deps, 'verify'),
  'password-changed': noticeComposer(deps, 'password-changed'),
  'email-changed': noticeComposer(deps, 'email-changed'),
  'account-deleted': noticeComposer(deps, 'account-deleted'),
  test: noticeComposer(deps, 'test'),
})
