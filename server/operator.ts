import { isPlanId, planIds, plans } from '@keepsnap/contract/plans.ts'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { connect } from './db/connect.ts'
import { migrate } from './db/migrate.ts'
import { changeAccount, type AccountChange } from './features/accounts/operator.ts'
import { stopInOrder } from './lifecycle.ts'
import { joinDatabase } from './where.ts'

/** A command line that does not say what to do; the sentence says how it is used. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem'
}

interface AccountCommand {
  change: AccountChange
  done: string
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

function grantedPlan(args: string[]): AccountCommand {
  const [, plan = '', flag, until = ''] = args
  if (!isPlanId(plan) || (flag !== undefined && flag !== '--until'))
    throw new UsageProblem(`grant-plan EMAIL PLAN_ID [--until YYYY-MM-DD], with PLAN_ID one of ${planIds.join(', ')}`)
  const end = flag ? new Date(`${until}T23:59:59.999Z`) : null
  // A day that there is not, such as 31 February, would be read as one of the next month.
  if (flag && (!dayPattern.test(until) || Number.isNaN(end!.getTime()) || !end!.toISOString().startsWith(until)))
    throw new UsageProblem('--until takes a day such as 2027-01-31 (its end, UTC)')
  if (end && end < new Date()) throw new UsageProblem('--until lies in the past')
  if (plan === 'free') return { change: { granted_plan: null, granted_until: null }, done: 'has the free plan' }
  return {
    change: { granted_plan: plan, granted_until: end },
    done: `has ${plans[plan].name}${end ? ` until ${until}` : ''}`,
  }
}

const accountCommands: Record<string, (args: string[]) => AccountCommand> = {
  'grant-admin': () => ({ change: { is_admin: true }, done: 'is an admin' }),
  'revoke-admin': () => ({ change: { is_admin: false }, done: 'is no longer an admin' }),
  'grant-plan': grantedPlan,
  deactivate: () => ({
    change: { is_active: false },
    done: 'is deactivated: signed out everywhere, public pages closed, nothing deleted',
  }),
  activate: () => ({ change: { is_active: true }, done: 'is active' }),
}
export const operatorCommands = ['migrate', ...Object.keys(accountCommands)]

/** Runs one operator command, beside a running server or alone; resolves with the sentence to print. */
export async function operate(
  command: string,
  args: string[],
  { config, log }: { config: Config; log: Logger },
): Promise<string> {
  const prepare = accountCommands[command]
  const [email = ''] = args
  if (prepare && !email.includes('@')) throw new UsageProblem(`${command} needs the e-mail address of an account`)
  const wanted = prepare?.(args)
  const where = await joinDatabase(config, log)
  const { db, pool, close } = connect(where.database, log, 2)
  try {
    const migrated = await migrate(db, pool)
    if (!wanted) return migrated.length ? `Migrated: ${migrated.join(', ')}` : 'The database is up to date.'
    if (!(await changeAccount(db, email, wanted.change)))
      throw new UsageProblem(`there is no account with the address ${email}`)
    return `${email} ${wanted.done}.`
  } finally {
    await stopInOrder([{ name: 'database connections', limitMs: 5_000, close }, ...where.closers], log)
  }
}
