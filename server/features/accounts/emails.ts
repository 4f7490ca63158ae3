import type { LinkEmail, NoticeEmail } from '@keepsnap/contract/emails.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type Composer, emailContextOf, type EmailRow, storedLanguage } from '../emails/compose.ts'
import { type LinkKind, startLinkLifetime } from './email-links.ts'
import { archiveById } from './archive.ts'

type EmailDependencies = Pick<Dependencies, 'urls' | 'tokens' | 'guestRenderer' | 'config'>

/** What `sendLink` stored. */
const linkPayload = ({ payload }: EmailRow) => payload as unknown as { linkId: string; changed: boolean } // only sendLink writes it
/** The payload of a notice; that of `account-deleted` contains the account's time zone and language. */
const noticePayload = ({ payload }: EmailRow) =>
  payload as unknown as {
    at: string
    newEmail?: string
    device?: string
    name?: string
    timeZone?: string | null
    language?: string | null
  } // every notice has these fields

/** Composes an email with a link that works once. It is not sent when its link was used or replaced meanwhile. */
function linkComposer(deps: EmailDependencies, kind: LinkKind): Composer {
  const { urls, tokens, guestRenderer, config } = deps
  return {
    async compose(row, tx) {
      const { linkId, changed } = linkPayload(row)
      const link = await startLinkLifetime(tx, kind, linkId)
      if (!link) return 'obsolete'
      const token = tokens.account(kind, linkId, link.tokenHash)
      const url = kind === 'reset' ? urls.resetPage(token) : urls.verifyPage(token)
      const email: LinkEmail = { kind, url, expiresAt: link.expiresAt.toISOString(), ...(changed && { changed }) }
      return guestRenderer.renderEmail(email, await emailContextOf(tx, row.user_id, config))
    },
  }
}

/** Composes an email that informs about a change. */
const noticeComposer = (deps: EmailDependencies, kind: NoticeEmail['kind']): Composer => ({
  async compose(row, tx) {
    const { at, timeZone, language, newEmail, device, name } = noticePayload(row)
    const context = await emailContextOf(tx, row.user_id, deps.config)
    const email = {
      kind,
      at,
      ...(newEmail !== undefined && { newEmail }),
      ...(device !== undefined && { device }),
      ...(name !== undefined && { name }),
    }
    return deps.guestRenderer.renderEmail(
      email,
      timeZone === undefined ? context : { ...context, timeZone, language: storedLanguage(language) },
    )
  },
})

/** The emails about an account. They contain no promotion. */
export const accountEmailComposers = (deps: EmailDependencies) => ({
  reset: linkComposer(deps, 'reset'),
  verify: linkComposer(deps, 'verify'),
  'password-changed': noticeComposer(deps, 'password-changed'),
  'new-sign-in': noticeComposer(deps, 'new-sign-in'),
  'email-changed': noticeComposer(deps, 'email-changed'),
  'api-key-created': noticeComposer(deps, 'api-key-created'),
  'webhook-created': noticeComposer(deps, 'webhook-created'),
  'account-deleted': noticeComposer(deps, 'account-deleted'),
  test: noticeComposer(deps, 'test'),
})

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
