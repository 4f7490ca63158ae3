import { isPlanId, planIds, plans } from '@keepsnap/contract/plans.ts'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import { apiKeyNameMessages, apiKeyNameProblem, normalizeName } from '@keepsnap/contract/form-rules.ts'
import { type AccountChange, changeAccount, isAddressConfirmed } from '../features/accounts/operator-changes.ts'
import { endOfDay } from '../lib/days.ts'
import { type AdminKey, createAdminKey, listAdminKeys, revokeAdminKey } from '../features/operators/admin-keys.ts'
import { shortApiKey } from '../lib/api-keys.ts'
import { type Command, noAccount, readArguments, readEmail, UsageError } from './command.ts'

interface AccountCommand {
  change: AccountChange
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

/** `create-admin-key NAME`: the last line that it prints is the key. */
const create: Command = (args) => {
  const name = normalizeName(args.join(' '))
  const problem = apiKeyNameProblem(name)
  if (problem === 'missing') throw new UsageError('create-admin-key NAME, with a name such as reports')
  if (problem) throw new UsageError(apiKeyNameMessages[problem])
  return async ({ db }) => {
    const created = await createAdminKey(db, name)
    if (!created)
      throw new UsageError(`there are ${adminLimits.keysMax} admin keys already; revoke one with revoke-admin-key ID`)
    return [
      `Created the admin key ${name} with the ID ${created.id}.`,
      'Save it now: only its hash is stored, so it cannot be shown again. A program with this key can read all accounts.',
      created.key,
    ].join('\n')
  }
}

const timeText = (at: Date | null): string => at?.toISOString() ?? 'never'
const keyText = ({ id, name, lastFour, createdAt, lastUsedAt, revokedAt }: AdminKey): string =>
  `${id}  ${shortApiKey('admin', lastFour)}  ${name}: created ${timeText(createdAt)}, last used ${timeText(lastUsedAt)}` +
  (revokedAt ? `, revoked ${timeText(revokedAt)}` : '')

/** `list-admin-keys`: one line for each key, revoked ones too. */
const list: Command = (args) => {
  if (args.length > 0) throw new UsageError('list-admin-keys has no arguments')
  return async ({ db }) => {
    const keys = await listAdminKeys(db)
    return keys.length === 0 ? 'No admin keys. Create one with create-admin-key NAME.' : keys.map(keyText).join('\n')
  }
}

/** `revoke-admin-key ID`: from then on the key is refused. */
const revoke: Command = (args) => {
  const [id] = args
  if (id === undefined || args.length > 1) throw new UsageError('revoke-admin-key ID; list-admin-keys shows the IDs')
  return async ({ db }) => {
    const key = await revokeAdminKey(db, id)
    if (!key) throw new UsageError(`there is no admin key with the ID ${id}; list-admin-keys shows them`)
    return key.wasRevoked
      ? `The admin key ${key.name} has already been revoked.`
      : `Revoked the admin key ${key.name}. It no longer works.`
  }
}

export const adminKeyCommands: Record<string, Command> = {
  'create-admin-key': create,
  'list-admin-keys': list,
  'revoke-admin-key': revoke,
}
