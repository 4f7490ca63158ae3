import { isPlanId, planIds, plans } from '@keepsnap/contract/plans.ts'
import { changeAccount, isAddressConfirmed, type AccountChange } from '../features/accounts/operator-changes.ts'
import { endOfDay } from '../lib/days.ts'
import { noAccount, readArguments, readEmail, UsageError, type Command } from './command.ts'

interface AccountCommand {
  change: AccountChange
  /** What to print after the email address of the account. */
  doneText: string
}

function parseGrantPlan(args: readonly string[]): AccountCommand {
  const [, plan = '', flag, planUntil = ''] = args
  if (!isPlanId(plan) || (flag !== undefined && flag !== '--until'))
    throw new UsageError(`grant-plan EMAIL PLAN_ID [--until YYYY-MM-DD]; PLAN_ID is one of ${planIds.join(', ')}`)
  const planEnd = flag === undefined ? null : endOfDay(planUntil)
  if (planEnd === undefined)
    throw new UsageError('--until needs a day such as 2027-01-31; the plan ends at the end of that day (UTC)')
  if (planEnd && planEnd < new Date()) throw new UsageError('--until is in the past')
  if (plan === 'free') return { change: { granted_plan: null, granted_until: null }, doneText: 'has the free plan' }
  return {
    change: { granted_plan: plan, granted_until: planEnd },
    doneText: `has ${plans[plan].name}${planEnd ? ` until ${planUntil}` : ''}`,
  }
}

/** A command that changes one account. */
const accountCommand =
  (name: string, parse: (args: readonly string[]) => AccountCommand): Command =>
  (args) => {
    const email = readEmail(name, args)
    const { change, doneText } = parse(args)
    return async ({ db }) => {
      const changed = await changeAccount(db, email, change)
      if (!changed) throw noAccount(email)
      const paymentText = changed.endsPayments ? ' Its paid subscription ends, and nothing more is charged.' : ''
      return `${email} ${doneText}.${paymentText}`
    }
  }

/** `grant-admin`: of an address that nobody has confirmed, whoever registered it first would become an admin. */
const grantAdmin: Command = (args) => {
  const { given, options } = readArguments(args, {
    usage: 'grant-admin EMAIL [--unconfirmed]',
    given: 1,
    flags: ['--unconfirmed'],
  })
  const grant = accountCommand('grant-admin', () => ({ change: { is_admin: true }, doneText: 'is an admin' }))(given)
  return async (context) => {
    const [email = ''] = given
    if (!options.has('--unconfirmed') && (await isAddressConfirmed(context.db, email)) === false)
      throw new UsageError(
        `the address ${email} is not confirmed, so the account may be somebody else's; confirm it by the link in the email that was sent to it, or add --unconfirmed if you know that it is the right one`,
      )
    return grant(context)
  }
}

/** The commands that change an account. */
export const accountCommands: Record<string, Command> = {
  'grant-admin': grantAdmin,
  'revoke-admin': accountCommand('revoke-admin', () => ({
    change: { is_admin: false },
    doneText: 'is no longer an admin',
  })),
  'grant-plan': accountCommand('grant-plan', parseGrantPlan),
  deactivate: accountCommand('deactivate', () => ({
    change: { is_active: false },
    doneText: 'is deactivated: signed out everywhere, guest pages closed, nothing deleted',
  })),
  activate: accountCommand('activate', () => ({ change: { is_active: true }, doneText: 'is active' })),
}
