import { billingHealth, healthText } from '../features/billing/billing-health.ts'
import { billingStateText, customerOfEmail } from '../features/billing/billing-state.ts'
import { checkPayments } from '../features/billing/check-payments.ts'
import { refundableCents, refundAsOperator } from '../features/billing/refunds.ts'
import { syncCustomer } from '../features/billing/sync-customer.ts'
import { openPayments } from '../setup/open-payments.ts'
import { noAccount, readEmail, UsageError, type Command, type CommandContext } from './command.ts'

const flags = ['--sync', '--refund', '--yes']
const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`

/** `billing`: without an address, the state of all payments, checked again with `--check`; with one, what that account pays. */
const billing: Command = (args) => {
  const isCheck = args.length === 1 && args[0] === '--check'
  if (args.length === 0 || isCheck)
    return async ({ config, db, log }) => {
      if (isCheck) await checkPayments({ db, log, payments: (await openPayments(config, db)).payments })
      return healthText(await billingHealth(db))
    }
  const email = readEmail('billing', args)
  const given = new Set(args.slice(1))
  const unknown = args.slice(1).find((flag) => !flags.includes(flag))
  if (unknown !== undefined) throw new UsageError('billing [--check | EMAIL [--sync] [--refund [--yes]]]')
  return async (context) => {
    const { config, db, log } = context
    const { payments } = await openPayments(config, db)
    const account = await customerOfEmail(db, email, payments?.kind)
    if (!account) throw noAccount(email)
    const lines: string[] = []
    const { customerId } = account
    if (given.has('--sync') || given.has('--refund')) {
      if (!payments || customerId === null)
        throw new UsageError(payments ? `${email} has never paid for a plan` : 'this site does not sell plans')
      await syncCustomer({ db, log, payments }, customerId)
      lines.push('Synchronized with the payment provider.')
      if (given.has('--refund')) lines.push(await refund(context, { customerId, payments, isSure: given.has('--yes') }))
    }
    return [...lines, await billingStateText(db, account.userId)].join('\n')
  }
}

async function refund(
  { db, log, confirm }: CommandContext,
  {
    customerId,
    payments,
    isSure,
  }: {
    customerId: string
    payments: NonNullable<Awaited<ReturnType<typeof openPayments>>['payments']>
    isSure: boolean
  },
): Promise<string> {
  const left = await refundableCents({ db, payments }, customerId)
  if (left === 0) return 'Nothing is left to refund.'
  if (!isSure && !(await confirm(`Refund ${dollars(left)} and end the subscription now?`)))
    return 'Nothing was refunded. Add --yes to skip the confirmation.'
  const given = await refundAsOperator({ db, log, payments }, customerId)
  return `Refunded ${dollars(given)}. The subscription has ended.`
}

/** The commands about payments. */
export const billingCommands: Record<string, Command> = { billing }
