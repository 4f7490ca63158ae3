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

/** Stops all emails with photos to a mailbox. */
async function blockMailbox(db: Db, mailboxHash: Buffer): Promise<void> {
  await db
    .insertInto('blocked_mailboxes')
    .values({ mailbox_hash: mailboxHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Allows emails with photos to a mailbox again. */
async function unblockMailbox(db: Db, mailboxHash: Buffer): Promise<void> {
  await db.deleteFrom('blocked_mailboxes').where('mailbox_hash', '=', mailboxHash).execute()
}

type UnsubscribeDependencies = Pick<Dependencies, 'db' | 'tokens' | 'guestRenderer' | 'config'>
type UnsubscribePageState = Extract<GuestPage, { page: 'unsubscribe' }>['state']
/** Reads or changes whether a mailbox is blocked; the state to show. */
type MailboxAction = (mailboxHash: Buffer) => Promise<UnsubscribePageState>

/**
 * Recipients of photo emails unsubscribe their mailbox, and undo that, with the link of any such email. An invalid link is
 * recognized by its signature, without a database query.
 */
export function unsubscribeRoutes(serve: Serve, deps: UnsubscribeDependencies): void {
  const { db } = deps
  for (const page of [unsubscribePage, resubscribePage]) {
    serve(page, async ({ params }, { reply }) => {
      await sendPageAfterAction(deps, { reply, token: params.secret }, async (mailboxHash) =>
        (await isMailboxBlocked(db, [mailboxHash])) ? 'stopped' : 'ask',
      )
      return undefined
    })
  }
  serve(unknownUnsubscribeLink, async (_, { reply }) => {
    await sendInvalidLinkPage(deps, reply)
    return undefined
  })
  serve(unsubscribeRecipient, async ({ params }, { reply }) => {
    await sendPageAfterAction(deps, { reply, token: params.secret }, (mailboxHash) => blockAndCount(deps, mailboxHash))
    return undefined
  })
  serve(resubscribeRecipient, async ({ params }, { reply }) => {
    await sendPageAfterAction(deps, { reply, token: params.secret }, (mailboxHash) =>
      unblockAndCount(deps, mailboxHash),
    )
    return undefined
  })
}

async function blockAndCount({ db }: UnsubscribeDependencies, mailboxHash: Buffer): Promise<UnsubscribePageState> {
  await countUnsubscribeChange(db, mailboxHash)
  await blockMailbox(db, mailboxHash)
  return 'stopped'
}

async function unblockAndCount({ db }: UnsubscribeDependencies, mailboxHash: Buffer): Promise<UnsubscribePageState> {
  await countUnsubscribeChange(db, mailboxHash)
  await unblockMailbox(db, mailboxHash)
  return 'allowed'
}

const countUnsubscribeChange = (db: UnsubscribeDependencies['db'], mailboxHash: Buffer): Promise<unknown> =>
  countRateHit(db, 'stops', mailboxHash.toString('base64url'))

const unsubscribePageFrame = ({ config }: UnsubscribeDependencies) => guestFrame(config.publicUrl, '/stop')

/** Performs the action for the mailbox of a token, and sends the page with the resulting state. */
async function sendPageAfterAction(
  deps: UnsubscribeDependencies,
  { reply, token }: { reply: Call['reply']; token: string },
  mailboxAction: MailboxAction,
): Promise<void> {
  const mailboxHash = deps.tokens.mailboxHashFromToken(token)
  if (!mailboxHash) return sendInvalidLinkPage(deps, reply)
  const state = await mailboxAction(mailboxHash)
  const formActions = { ask: `/stop/${token}`, stopped: `/stop/${token}/undo`, allowed: null }
  const page: GuestPage = { page: 'unsubscribe', state, action: formActions[state] }
  return sendGuestPage(reply, deps.guestRenderer, { page, frame: unsubscribePageFrame(deps) })
}

const sendInvalidLinkPage = (deps: UnsubscribeDependencies, reply: Call['reply']): Promise<void> =>
  sendGuestPage(reply, deps.guestRenderer, {
    page: { page: 'gone', why: 'unsubscribe' },
    frame: unsubscribePageFrame(deps),
    status: 404,
  })
