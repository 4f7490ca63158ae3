import type { LinkEmail, NoticeEmail } from '@keepsnap/contract/guest.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Composer, EmailRow } from '../../emails/composers.ts'
import { startLinkLifetime, type LinkKind } from './email-links.ts'

type EmailDependencies = Pick<Dependencies, 'urls' | 'tokens' | 'guestRenderer' | 'config'>

/** What `sendLink` stored. */
const linkPayload = ({ payload }: EmailRow) => payload as unknown as { linkId: string; changed: boolean } // only sendLink writes it
/** What `queueEmail` was given for a notice. */
const noticePayload = ({ payload }: EmailRow) => payload as unknown as { at: string; newEmail?: string } // every notice has these fields

const emailFrameOf = ({ config }: EmailDependencies) => ({ publicUrl: config.publicUrl, operator: config.operator })

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
      return guestRenderer.renderEmail(email, emailFrameOf(deps))
    },
  }
}

/** Composes an email that informs about a change. */
const noticeComposer = (deps: EmailDependencies, kind: NoticeEmail['kind']): Composer => ({
  async compose(row) {
    const { at, newEmail } = noticePayload(row)
    return deps.guestRenderer.renderEmail({ kind, at, ...(newEmail !== undefined && { newEmail }) }, emailFrameOf(deps))
  },
})

/** The emails about an account. They contain no promotion. */
export const accountEmailComposers = (deps: EmailDependencies) => ({
  reset: linkComposer(deps, 'reset'),
  verify: linkComposer(deps, 'verify'),
  'password-changed': noticeComposer(deps, 'password-changed'),
  'email-changed': noticeComposer(deps, 'email-changed'),
  'account-deleted': noticeComposer(deps, 'account-deleted'),
})
