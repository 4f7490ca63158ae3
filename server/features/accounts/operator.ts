import { emailKey } from '@keepsnap/contract/emails.ts'
import type { PlanId } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../db/connect.ts'
import { publish } from '../../live/bus.ts'

/** What an operator may change about an account from the command line. */
export type AccountChange =
  | { is_admin: boolean }
  | { is_active: boolean }
  | { granted_plan: PlanId | null; granted_until: Date | null }

/** Applies a change to the account of an address, at once and on every node; false when there is no such account. */
export async function changeAccount(db: Db, email: string, change: AccountChange): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const user = await tx
      .updateTable('users')
      .set(change)
      .where('email_key', '=', emailKey(email))
      .returning('id')
      .executeTakeFirst()
    if (!user) return false
    if ('is_active' in change && !change.is_active)
      await tx.deleteFrom('sessions').where('user_id', '=', user.id).execute()
    await publish(tx, { kind: 'user', user: user.id })
    return true
  })
}
