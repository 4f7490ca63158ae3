import type { LinkEmail, NoticeEmail } from '@keepsnap/contract/emails.ts'
import type { Dependencies } from '../../dependencies.ts'
import { type Composer, emailContextOf, storedLanguage } from '../emails/compose.ts'
import { type LinkKind, startLinkLifetime } from './email-links.ts'
import { archiveById } from './archive.ts'

/** The emails about an account. They contain no promotion. */
export const accountEmails = (deps: Dependencies) => ({
  reset: linkComposer(deps, 'reset'),
  verify: linkComposer(deps, 'verify'),
  'password-changed': noticeComposer(deps, 'password-changed'),
  'new-sign-in': noticeComposer(deps, 'new-sign-in'),
  'email-changed': noticeComposer(deps, 'email-changed'),
  'api-key-created': noticeComposer(deps, 'api-key-created'),
  'webhook-created': noticeComposer(deps, 'webhook-created'),
  'event-grant-created': noticeComposer(deps, 'event-grant-created'),
  'helper-created': noticeComposer(deps, 'helper-created'),
  'account-deleted': noticeComposer(deps, 'account-deleted'),
  test: noticeComposer(deps, 'test'),
  archive: archiveComposer(deps),
})

/** A link that works once. Not sent when it was used or replaced meanwhile. */
const linkComposer = ({ urls, tokens, guestRenderer, config }: Dependencies, kind: LinkKind): Composer => ({
  async compose({ payload, user_id: userId }, tx) {
    const { linkId, changed } = payload as unknown as { linkId: string; changed: boolean } // only sendLink writes it
    const link = await startLinkLifetime(tx, kind, linkId)
    if (!link) return 'obsolete'
    const token = tokens.account(kind, linkId, link.tokenHash)
    const url = kind === 'reset' ? urls.resetPage(token) : urls.verifyPage(token)
    const email: LinkEmail = { kind, url, expiresAt: link.expiresAt.toISOString(), ...(changed && { changed }) }
    return guestRenderer.renderEmail(email, await emailContextOf(tx, userId, config))
  },
})

/** What every notice has; that of `account-deleted` also the account's time zone and language. */
interface NoticePayload {
  at: string
  newEmail?: string
  device?: string
  name?: string
  timeZone?: string | null
  language?: string | null
}

/** Informs about a change. */
const noticeComposer = ({ config, guestRenderer }: Dependencies, kind: NoticeEmail['kind']): Composer => ({
  async compose({ payload, user_id: userId }, tx) {
    const { timeZone, language, ...notice } = payload as unknown as NoticePayload // every notice has these fields
    const context = await emailContextOf(tx, userId, config)
    return guestRenderer.renderEmail(
      { kind, ...notice },
      timeZone === undefined ? context : { ...context, timeZone, language: storedLanguage(language) },
    )
  },
})

/** The link of an archive. */
const archiveComposer = ({ urls, tokens, guestRenderer, config }: Dependencies): Composer => ({
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
})
