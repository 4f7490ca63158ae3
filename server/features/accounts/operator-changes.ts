import { normalizeEmail } from '@keepsnap/contract/emails.ts'
import type { PlanId } from '@keepsnap/contract/plans.ts'
import type { Db } from '../../db/connect.ts'
import { recordAction } from '../../domain/audit-log.ts'
import { enqueue } from '../../jobs/queue.ts'
import { publish } from '../../live/bus.ts'
import { closeCustomersOf } from './close-customers.ts'

/** What an operator may change about an account. */
export type AccountChange =
  | { is_admin: boolean }
  | { is_active: boolean }
  | { granted_plan: PlanId | null; granted_until: Date | null }

/** The consequences of a change of an account. */
export interface AccountChangeResult {
  /** Whether subscriptions and open checkouts of the account are being ended at the payment provider. */
  endsPayments: boolean
}

/** What the audit log calls a change. */
export function actionOf(change: AccountChange): string {
  if ('is_admin' in change) return change.is_admin ? 'make admin' : 'take admin rights back'
  if ('is_active' in change) return change.is_active ? 'activate account' : 'deactivate account'
  const { granted_plan: plan, granted_until: planEnd } = change
  if (plan === null) return 'take given plan back'
  return `give plan ${plan}${planEnd ? ` until ${planEnd.toISOString().slice(0, 10)}` : ''}`
}

/** The command that makes a change. */
function commandOf(change: AccountChange): string {
  if ('is_admin' in change) return change.is_admin ? 'grant-admin' : 'revoke-admin'
  if ('is_active' in change) return change.is_active ? 'activate' : 'deactivate'
  return 'grant-plan'
}

/** Changes an account, immediately and on every node; undefined when there is none with this id. */
export async function changeAccountById(
  tx: Db,
  userId: string,
  change: AccountChange,
): Promise<AccountChangeResult | undefined> {
  const user = await tx.updateTable('users').set(change).where('id', '=', userId).returning('id').executeTakeFirst()
  if (!user) return undefined
  const isDeactivated = 'is_active' in change && !change.is_active
  if (isDeactivated) await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await publish(tx, { kind: 'granted_plan' in change ? 'plan' : 'user', user: userId })
  // Photos may no longer fit into the plan, or fit again.
  if (!('is_admin' in change))
    await enqueue(tx, { name: 'check-plan-storage', payload: { userId }, key: `plan-storage:${userId}` })
  return { endsPayments: isDeactivated && (await closeCustomersOf(tx, userId)) }
}

/** Whether the address of an account is confirmed; undefined when there is no account. */
export async function isAddressConfirmed(db: Db, email: string): Promise<boolean | undefined> {
  const user = await db
    .selectFrom('users')
    .select('email_verified_at')
    .where('email_key', '=', normalizeEmail(email))
    .executeTakeFirst()
  return user && user.email_verified_at !== null
}

/** Changes an account found by its email address, for a command, with an entry in the audit log. */
export async function changeAccount(
  db: Db,
  email: string,
  change: AccountChange,
): Promise<AccountChangeResult | undefined> {
  return db.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['id', 'username'])
      .where('email_key', '=', normalizeEmail(email))
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!user) return undefined
    const subject = { kind: 'user', id: user.id, name: user.username, userId: user.id } as const
    const by = { kind: 'command', id: null, name: commandOf(change) } as const
    await recordAction(tx, { by, action: actionOf(change), subject, outcome: 'done' })
    return changeAccountById(tx, user.id, change)
  })
}
