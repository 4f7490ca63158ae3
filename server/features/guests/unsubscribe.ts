import type { GuestPage } from '@keepsnap/contract/rendering.ts'
import {
  resubscribePage,
  resubscribeRecipient,
  unknownUnsubscribeLink,
  unsubscribePage,
  unsubscribeRecipient,
} from '@keepsnap/contract/guests.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sendGuestPage } from '../../platform/http/pages.ts'
import { countRateHit } from '../../platform/http/rate-limits.ts'
import type { Call, Serve } from '../../platform/http/serve.ts'
import { guestFrame } from './page-props.ts'

/**
 * Recipients of photo emails unsubscribe their mailbox, and undo that, with the link of any such email. An invalid link is
 * recognized by its signature, without a database query.
 */
export function unsubscribeRoutes(serve: Serve, { db, tokens, guestRenderer, config }: Dependencies): void {
  type State = Extract<GuestPage, { page: 'unsubscribe' }>['state']
  const frame = guestFrame(config.publicUrl, '/stop')
  const sendInvalidLinkPage = (reply: Call['reply']): Promise<void> =>
    sendGuestPage(reply, guestRenderer, { page: { page: 'gone', why: 'unsubscribe' }, frame, status: 404 })

  /** Reads or changes whether the mailbox of a token is blocked, and sends the page with the resulting state. */
  const sendPageAfter = async (
    reply: Call['reply'],
    token: string,
    action: (mailboxHash: Buffer) => Promise<State>,
  ): Promise<undefined> => {
    const mailboxHash = tokens.mailboxHashFromToken(token)
    if (mailboxHash) {
      const state = await action(mailboxHash)
      const formActions = { ask: `/stop/${token}`, stopped: `/stop/${token}/undo`, allowed: null }
      await sendGuestPage(reply, guestRenderer, {
        page: { page: 'unsubscribe', state, action: formActions[state] },
        frame,
      })
    } else await sendInvalidLinkPage(reply)
  }
  const countChange = (mailboxHash: Buffer) => countRateHit(db, 'stops', mailboxHash.toString('base64url'))

  for (const page of [unsubscribePage, resubscribePage])
    serve(page, ({ params }, { reply }) =>
      sendPageAfter(reply, params.secret, async (mailboxHash) =>
        (await isMailboxBlocked(db, [mailboxHash])) ? 'stopped' : 'ask',
      ),
    )
  serve(unknownUnsubscribeLink, async (_, { reply }) => {
    await sendInvalidLinkPage(reply)
  })
  serve(unsubscribeRecipient, ({ params }, { reply }) =>
    sendPageAfter(reply, params.secret, async (mailboxHash) => {
      await countChange(mailboxHash)
      await db
        .insertInto('blocked_mailboxes')
        .values({ mailbox_hash: mailboxHash })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return 'stopped'
    }),
  )
  serve(resubscribeRecipient, ({ params }, { reply }) =>
    sendPageAfter(reply, params.secret, async (mailboxHash) => {
      await countChange(mailboxHash)
      await db.deleteFrom('blocked_mailboxes').where('mailbox_hash', '=', mailboxHash).execute()
      return 'allowed'
    }),
  )
}

/** Whether the owner of a mailbox has unsubscribed. The hashes are derived from the mailbox or from a token. */
export const isMailboxBlocked = async (db: Db, mailboxHashes: readonly Buffer[]): Promise<boolean> =>
  (await db
    .selectFrom('blocked_mailboxes')
    .select('mailbox_hash')
    .where('mailbox_hash', 'in', mailboxHashes)
    .executeTakeFirst()) !== undefined

/** Those of the hashes whose mailboxes have unsubscribed, in hexadecimal. */
export async function blockedMailboxesOf(db: Db, mailboxHashes: readonly Buffer[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('blocked_mailboxes')
    .select('mailbox_hash')
    .where('mailbox_hash', 'in', mailboxHashes)
    .execute()
  return new Set(rows.map((row) => row.mailbox_hash.toString('hex')))
}
