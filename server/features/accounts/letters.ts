import type { LinkLetter, NoticeLetter } from '@keepsnap/contract/guest.ts'
import type { Deps } from '../../deps.ts'
import type { Composer, LetterRow } from '../../letters/composers.ts'
import { startTime, type LinkKind } from './links.ts'

type Parts = Pick<Deps, 'addresses' | 'guest' | 'config'>

/** What `sendLink` wrote. */
const linkFacts = ({ facts }: LetterRow) => facts as unknown as { linkId: string; changed: boolean } // written there alone
/** What those wrote who tell of a change. */
const noticeFacts = ({ facts }: LetterRow) => facts as unknown as { at: string; newEmail?: string } // as above

const frameOf = ({ config }: Parts) => ({ publicUrl: config.publicUrl, operator: config.operator })

/** A letter whose link does one thing once. A link that was used or replaced meanwhile takes its letter back. */
function linkLetter(parts: Parts, kind: LinkKind): Composer {
  const { addresses, guest } = parts
  return {
    async compose(row, tx) {
      const { linkId, changed } = linkFacts(row)
      const expiresAt = await startTime(tx, kind, linkId)
      if (!expiresAt) return 'withdrawn'
      const secret = addresses.accountSecret(kind, linkId)
      const url = kind === 'reset' ? addresses.resetPage(secret) : addresses.verifyPage(secret)
      const letter: LinkLetter = { kind, url, expiresAt: expiresAt.toISOString(), ...(changed && { changed }) }
      return guest.renderLetter(letter, frameOf(parts))
    },
  }
}

/** A letter that only tells. */
const notice = (parts: Parts, kind: NoticeLetter['kind']): Composer => ({
  async compose(row) {
    const { at, newEmail } = noticeFacts(row)
    return parts.guest.renderLetter({ kind, at, ...(newEmail !== undefined && { newEmail }) }, frameOf(parts))
  },
})

/** The letters about an account. None of them holds anything but what its reader did or is to know. */
export const accountLetters = (parts: Parts) => ({
  reset: linkLetter(parts, 'reset'),
  verify: linkLetter(parts, 'verify'),
  'password-changed': notice(parts, 'password-changed'),
  'email-changed': notice(parts, 'email-changed'),
  'account-deleted': notice(parts, 'account-deleted'),
})
