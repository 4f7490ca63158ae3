import { normalizeEmail } from '@keepsnap/contract/emails.ts'
import type { PlanId } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../db/connect.ts'
import { publish } from '../../live/bus.ts'

/** What an operator may change about an account with a command. */
export type AccountChange =
  | { is_admin: boolean }
  | { is_active: boolean }
  | { granted_plan: PlanId | null; granted_until: Date | null }

/** Changes the account with this email address, immediately and on every node; false when there is none. */
export async function changeAccount(db: Db, email: string, change: AccountChange): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const user = await tx
      .updateTable('users')
      .set(change)
      .where('email_key', '=', normalizeEmail(email))
      .returning('id')
      .executeTakeFirst()
    if (!user) return false
    if ('is_active' in change && !change.is_active)
      await tx.deleteFrom('sessions').where('user_id', '=', user.id).execute()
    await publish(tx, { kind: 'user', user: user.id })
    return true
  })
}
