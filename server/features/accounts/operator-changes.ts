import { normalizeEmail } from '@keepsnap/contract/emails.ts'
import type { PlanId } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../db/connect.ts'
import { enqueue } from '../../jobs/queue.ts'
import { publish } from '../../live/bus.ts'
import { closeCustomersOf } from './close-customers.ts'

/** What an operator may change about an account with a command. */
export type AccountChange =
  | { is_admin: boolean }
  | { is_active: boolean }
  | { granted_plan: PlanId | null; granted_until: Date | null }

/** What a change of an account leads to. */
export interface AccountChanged {
  /** Whether something that the account paid for, or began to pay for, is ended at the payment provider. */
  endsPayments: boolean
}

/** Changes the account with this email address, immediately and on every node; undefined when there is none. */
export async function changeAccount(db: Db, email: string, change: AccountChange): Promise<AccountChanged | undefined> {
  return db.transaction().execute(async (tx) => {
    const user = await tx
      .updateTable('users')
      .set(change)
      .where('email_key', '=', normalizeEmail(email))
      .returning('id')
      .executeTakeFirst()
    if (!user) return undefined
    const isDeactivated = 'is_active' in change && !change.is_active
    if (isDeactivated) await tx.deleteFrom('sessions').where('user_id', '=', user.id).execute()
    await publish(tx, { kind: 'granted_plan' in change ? 'plan' : 'user', user: user.id })
    // Photos may no longer fit into the plan, or fit again.
    if (!('is_admin' in change))
      await enqueue(tx, {
        name: 'check-plan-storage',
        payload: { userId: user.id },
        key: `plan-storage:${user.id}`,
      })
    return { endsPayments: isDeactivated && (await closeCustomersOf(tx, user.id)) }
  })
}
