import { normalizeEmail } from '@keepsnap/contract/form-rules.ts'
import type { PlanId } from '@keepsnap/contract/plans.ts'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import {
  confirmOperator,
  activateUser,
  deactivateUser,
  deleteUser as deleteUserEndpoint,
  givePlan,
  type OperatorUserDetail,
} from '@keepsnap/contract/operators.ts'
import type { Db } from '../../platform/db/connect.ts'
import { actAsOperator, recordAction, userSubject } from '../operators/audit-log.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { publish } from '../../platform/live/bus.ts'
import { closeCustomersOf } from '../plans/close-customer.ts'
import { readOperatorUser } from '../operators/accounts.ts'
import type { ApiDependencies } from '../../dependencies.ts'
import { Fault, invalidField } from '../../faults.ts'
import type { SessionActor } from '../../platform/http/authenticator.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { endOfDay } from '../../lib/days.ts'
import { isId } from '../../lib/ids.ts'
import { reauthenticate, storeConfirmation } from './passwords.ts'
import { deleteUser } from './account-deletion.ts'

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
function actionOf(change: AccountChange): string {
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
async function changeAccountById(
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

const accountNotFound = (): Fault => new Fault('not_found', 'There is no such account.')

/** Changes of accounts by operators, and the password confirmation that they require. */
export function accountOperatorRoutes(serve: Serve, deps: ApiDependencies): void {
  const { db, mail, mediaCache, authenticator } = deps
  serve(confirmOperator, async ({ body }, { actor, client }) => {
    await reauthenticate(deps, { actor, client }, body.password)
    return { confirmed_until: await storeConfirmation(db, actor.sessionHash, adminLimits.confirmationMinutes) }
  })

  const change = async (
    operator: SessionActor,
    { userId, reason }: { userId: string; reason: string },
    accountChange: AccountChange,
  ): Promise<OperatorUserDetail> => {
    if (!isId(userId)) throw accountNotFound()
    const subject = await userSubject(db, userId)
    await actAsOperator(db, { operator, action: actionOf(accountChange), subject, reason }, async (tx) => {
      if (userId === operator.userId && 'is_active' in accountChange)
        throw new Fault('conflict', 'This is your own account. Another admin, or the command deactivate, can do this.')
      if (!(await changeAccountById(tx, userId, accountChange))) throw accountNotFound()
    })
    authenticator.invalidateUser(userId)
    return readOperatorUser(deps, userId)
  }
  serve(deactivateUser, async ({ params, body }, { actor }) =>
    change(actor, { userId: params.user_id, reason: body.reason }, { is_active: false }),
  )
  serve(activateUser, async ({ params, body }, { actor }) =>
    change(actor, { userId: params.user_id, reason: body.reason }, { is_active: true }),
  )
  serve(deleteUserEndpoint, async ({ params: { user_id: userId }, body: { email, reason } }, { actor: operator }) => {
    if (!isId(userId)) throw accountNotFound()
    // Without a subject: the log must not name who was deleted, and the reason is kept.
    await actAsOperator(db, { operator, action: 'delete account', subject: undefined, reason }, async (tx) => {
      const user = await tx.selectFrom('users').select('email_key').where('id', '=', userId).executeTakeFirst()
      if (!user) throw accountNotFound()
      if (userId === operator.userId) throw new Fault('conflict', 'This is your own account. Delete it in Settings.')
      if (user.email_key !== normalizeEmail(email))
        throw invalidField('email', 'This is not the email address of the account.')
      if (!(await deleteUser(tx, mail, { id: userId }))) throw accountNotFound()
    })
    authenticator.invalidateUser(userId)
    mediaCache.invalidateUser(userId)
    return { deleted: true }
  })
  serve(givePlan, async ({ params, body: { plan, until, reason } }, { actor }) =>
    change(actor, { userId: params.user_id, reason }, givenPlan(plan, until)),
  )
}

/** The plan `free` revokes a complimentary plan; `until` is ignored then. */
function givenPlan(plan: 'free' | 'pro_monthly' | 'pro_yearly', until: string | null): AccountChange {
  if (plan === 'free') return { granted_plan: null, granted_until: null }
  const planEnd = until === null ? null : endOfDay(until)
  if (planEnd === undefined) throw invalidField('until', 'Please give a day such as 2027-01-31.')
  if (planEnd && planEnd < new Date()) throw invalidField('until', 'This day is in the past.')
  return { granted_plan: plan, granted_until: planEnd }
}
