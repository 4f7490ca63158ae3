import { adminLimits } from '@keepsnap/contract/limits.ts'
import { confirmOperator } from '@keepsnap/contract/operator.ts'
import { normalizeEmail } from '@keepsnap/contract/emails.ts'
import {
  activateUser,
  deactivateUser,
  deleteUser as deleteUserEndpoint,
  givePlan,
  type OperatorUserDetail,
} from '@keepsnap/contract/operator-users.ts'
import type { Dependencies } from '../../dependencies.ts'
import { storeConfirmation } from '../../domain/recent-password.ts'
import { actAsOperator, userSubject } from '../../domain/operator-actions.ts'
import { Fault, invalidField } from '../../faults.ts'
import type { SessionActor } from '../../http/actor.ts'
import type { Authenticator } from '../../http/authenticator.ts'
import type { Serve } from '../../http/serve.ts'
import { endOfDay } from '../../lib/days.ts'
import { isId } from '../../lib/ids.ts'
import { deleteUser } from './account-deletion.ts'
import { actionOf, changeAccountById, type AccountChange } from './operator-changes.ts'
import type { Passwords } from './passwords.ts'
import { reauthenticate } from './reauthenticate.ts'

const accountNotFound = (): Fault => new Fault('not_found', 'There is no such account.')

type OperatorRouteDependencies = Pick<Dependencies, 'db' | 'mail' | 'mediaCache'> & {
  passwords: Passwords
  authenticator: Pick<Authenticator, 'invalidateUser'>
  /** Reads an account as operators see it. */
  readOperatorUser: (userId: string) => Promise<OperatorUserDetail>
}

/** Changes of accounts by operators, and the password confirmation that they require. */
export function accountOperatorRoutes(serve: Serve, deps: OperatorRouteDependencies): void {
  const { db, mail, mediaCache, authenticator, readOperatorUser } = deps
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
    return readOperatorUser(userId)
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
