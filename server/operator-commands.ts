import { isPlanId, planIds, plans } from '@keepsnap/contract/plans.ts'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { connect } from './db/connect.ts'
import { migrate } from './db/migrate.ts'
import { changeAccount, type AccountChange } from './features/accounts/operator-changes.ts'
import { shutDown } from './runtime/shutdown.ts'
import { joinOrOpenDatabase } from './postgres/open-database.ts'

/** An invalid command line; the message explains the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

interface AccountCommand {
  change: AccountChange
  /** What to print after the email address of the account. */
  doneText: string
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/** The end of a day such as 2027-01-31 in UTC; undefined for any other text. */
function endOfDay(day: string): Date | undefined {
  const dayEnd = new Date(`${day}T23:59:59.999Z`)
  // A day that does not exist, such as 31 February, would be read as one of the next month.
  const isDay = dayPattern.test(day) && !Number.isNaN(dayEnd.getTime()) && dayEnd.toISOString().startsWith(day)
  return isDay ? dayEnd : undefined
}

function parseGrantPlan(args: string[]): AccountCommand {
  const [, plan = '', flag, planUntil = ''] = args
  if (!isPlanId(plan) || (flag !== undefined && flag !== '--until'))
    throw new UsageError(`grant-plan EMAIL PLAN_ID [--until YYYY-MM-DD], with PLAN_ID one of ${planIds.join(', ')}`)
  const planEnd = flag === undefined ? null : endOfDay(planUntil)
  if (planEnd === undefined)
    throw new UsageError('--until needs a day such as 2027-01-31; the plan ends with that day (UTC)')
  if (planEnd && planEnd < new Date()) throw new UsageError('--until is in the past')
  if (plan === 'free') return { change: { granted_plan: null, granted_until: null }, doneText: 'has the free plan' }
  return {
    change: { granted_plan: plan, granted_until: planEnd },
    doneText: `has ${plans[plan].name}${planEnd ? ` until ${planUntil}` : ''}`,
  }
}

const accountCommands: Record<string, (args: string[]) => AccountCommand> = {
  'grant-admin': () => ({ change: { is_admin: true }, doneText: 'is an admin' }),
  'revoke-admin': () => ({ change: { is_admin: false }, doneText: 'is no longer an admin' }),
  'grant-plan': parseGrantPlan,
  deactivate: () => ({
    change: { is_active: false },
    doneText: 'is deactivated: signed out everywhere, guest pages closed, nothing deleted',
  }),
  activate: () => ({ change: { is_active: true }, doneText: 'is active' }),
}
export const operatorCommands = ['migrate', ...Object.keys(accountCommands)]

/** Runs an operator command, with or without a running server; resolves with the text to print. */
export async function runOperatorCommand(
  command: string,
  args: string[],
  { config, log }: { config: Config; log: Logger },
): Promise<string> {
  const parseAccountCommand = accountCommands[command]
  const [email = ''] = args
  if (parseAccountCommand && !email.includes('@'))
    throw new UsageError(`${command} needs the email address of an account`)
  const accountCommand = parseAccountCommand?.(args)
  const database = await joinOrOpenDatabase(config, log)
  const { db, pool, close } = connect(database.database, log, 2)
  try {
    const migrated = await migrate(db, pool)
    if (!accountCommand) return migrated.length ? `Migrated: ${migrated.join(', ')}` : 'The database is up to date.'
    if (!(await changeAccount(db, email, accountCommand.change)))
      throw new UsageError(`there is no account with the address ${email}`)
    return `${email} ${accountCommand.doneText}.`
  } finally {
    await shutDown([{ name: 'database connections', timeoutMs: 5_000, close }, ...database.shutdownSteps], log)
  }
}
