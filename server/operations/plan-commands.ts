import { billingHealth, billingStateText, customerOfEmail, healthText } from '../features/plans/billing-health.ts'
import { checkPayments, registeredProvider } from '../features/plans/prices.ts'
import { refundableCents, refundAsOperator } from '../features/plans/refunds.ts'
import { syncCustomer } from '../features/plans/sync-customer.ts'
import { openPayments } from '../features/plans/open-payments.ts'
import { photosDueForRemoval } from '../features/plans/over-limit-photos.ts'
import { advanceDemoBilling } from '../features/plans/demo-checkout.ts'
import { plural, timeText } from '../lib/operator-texts.ts'
import { type DemoClock, type DemoPayments, maxClockDays, readDemoClock } from '../ports/payments/demo.ts'
import {
  approveByOperator,
  type DueAccount,
  dueAccounts,
  removalFingerprint,
  removalStop,
  removeApprovedPhotos,
} from '../features/plans/keeping.ts'
import { type Command, type CommandContext, noAccount, readEmail, UsageError } from './command.ts'

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

export const billingCommands: Record<string, Command> = { billing }

interface Move {
  /** As it was typed. */
  text: string
  seconds: number
}

const usageText = 'demo-clock [+31d [--yes]], with a number of days (d) or hours (h); without one it shows the clock'
const secondsOf: Record<string, number> = { d: 86_400, h: 3_600 }

/** Undefined: the clock is only shown. */
function parseMove(args: readonly string[]): Move | undefined {
  const [text, flag, ...more] = args
  if (text === undefined) return undefined
  const [, count = '', unit = ''] = /^\+(\d{1,6})([dh])$/.exec(text) ?? []
  const seconds = Number(count) * (secondsOf[unit] ?? 0)
  if (seconds === 0 || (flag !== undefined && flag !== '--yes') || more.length) throw new UsageError(usageText)
  return { text, seconds }
}

function clockText({ now, aheadSeconds }: DemoClock): string {
  const days = Math.round(aheadSeconds / 8_640) / 10
  return `The clock of demo payments shows ${timeText(now)}${aheadSeconds === 0 ? ', the real time' : `, ${days} days ahead`}.`
}

/** Demo payments, if the settings and the running server have them. */
async function requireDemo(command: string, { config, db }: CommandContext): Promise<DemoPayments> {
  const { demo } = await openPayments(config, db)
  const kind = config.payments.kind
  if (!demo) throw new UsageError(`${command} is for demo payments only, and payments are ${kind} here`)
  const registered = await registeredProvider(db)
  if (registered !== 'demo')
    throw new UsageError(
      `${command} is for demo payments only, and they were ${registered ?? 'off'} when the server was started; start it with PAYMENTS=demo first`,
    )
  return demo
}

async function confirmRemovals(
  { confirm }: CommandContext,
  { photos, accounts }: Awaited<ReturnType<typeof photosDueForRemoval>>,
  { text }: Move,
): Promise<void> {
  if (photos === 0) return
  const effect = `moving the clock by ${text} removes ${plural(photos, 'photo')} of ${plural(accounts, 'account')}`
  if (!(await confirm(`${effect}. Move it?`))) throw new UsageError(`${effect}; add --yes to do it`)
}

/** `demo-clock`: shows the clock of demo payments, or moves it forward. */
const demoClock: Command = (args) => {
  const move = parseMove(args)
  return async (context) => {
    const { db, log } = context
    const demo = await requireDemo('demo-clock', context)
    const before = await readDemoClock(db)
    if (!move) return clockText(before)
    if (!args.includes('--yes')) {
      const target = new Date(before.now.getTime() + move.seconds * 1_000)
      await confirmRemovals(context, await photosDueForRemoval(db, target), move)
    }
    const renewals = await advanceDemoBilling({ db, log, demo }, move.seconds)
    if (!renewals) throw new UsageError(`the clock can be moved ${maxClockDays} days ahead at most`)
    const { renewed, ended } = renewals
    return `${clockText(await readDemoClock(db))}\n${plural(renewed, 'renewal')}, ${plural(ended, 'subscription')} ended.`
  }
}

const cardStates = { pays: true, declined: false }
const isCardState = (text: string | undefined): text is keyof typeof cardStates =>
  text !== undefined && Object.hasOwn(cardStates, text)

/** `demo-card`: whether later payments of an account succeed, to try what follows when they do not. */
const demoCard: Command = (args) => {
  const email = readEmail('demo-card', args)
  const [, state, ...more] = args
  if (!isCardState(state) || more.length) throw new UsageError('demo-card EMAIL pays|declined')
  return async (context) => {
    const demo = await requireDemo('demo-card', context)
    const account = await customerOfEmail(context.db, email, 'demo')
    if (!account) throw noAccount(email)
    if (account.customerId === null) throw new UsageError(`${email} has never paid for a plan`)
    await demo.setCardPays(account.customerId, cardStates[state])
    return `Payments of ${email} ${state === 'pays' ? 'succeed again; overdue payments were charged' : 'are declined from now on'}.`
  }
}

export const demoCommands: Record<string, Command> = { 'demo-clock': demoClock, 'demo-card': demoCard }

const sizeText = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(2)} GB`
const sumOf = (due: readonly DueAccount[], field: 'photos' | 'bytes'): number =>
  due.reduce((sum, one) => sum + one[field], 0)
const totalText = (due: readonly DueAccount[]): string =>
  `${plural(sumOf(due, 'photos'), 'photo')} of ${plural(due.length, 'account')}, ${sizeText(sumOf(due, 'bytes'))}`

const accountText = ({ email, photos, bytes, hasFiles }: DueAccount): string =>
  `  ${email}: ${plural(photos, 'photo')}, ${sizeText(bytes)}${hasFiles ? ' (emails about it were only saved in the outbox folder)' : ''}`

const usage = 'removals [--yes [NUMBER]]'

const hasChanged = (): UsageError =>
  new UsageError(
    'the photos that are due have changed since they were shown, so nothing was removed: run "removals" to see the new list',
  )

/** The number after `--yes`, null if there is none; undefined without `--yes`: then the command asks first. */
function readApproval(args: readonly string[]): string | null | undefined {
  const [flag, number, ...more] = args
  if (flag === undefined) return undefined
  if (flag !== '--yes' || more.length > 0 || (number !== undefined && !/^[\da-f]{8}$/.test(number)))
    throw new UsageError(usage)
  return number ?? null
}

/**
 * `removals`: the photos that are due for removal because a larger plan has ended, and why removal is paused; with `--yes`,
 * shows and removes them. Only photos that were shown are removed: the number identifies exactly one list.
 */
const removals: Command = (args) => {
  const approval = readApproval(args)
  return async ({ db, confirm }) => {
    const [stop, due] = [await removalStop(db), await dueAccounts(db)]
    const stopText = stop ? `Photo removal has been paused since ${stop.at.toISOString()}: ${stop.reason}.\n` : ''
    if (!stop && due.length === 0) return 'No photos are due to be removed.'
    const number = removalFingerprint(due)
    const overview = [`${stopText}To be removed now: ${totalText(due)}.`, ...due.map(accountText)].join('\n')
    const hint = `Nothing was changed. To remove exactly these and resume removal: removals --yes ${number}`
    if (approval && approval !== number) throw hasChanged()
    const isSure = approval !== undefined || (await confirm(`${overview}\nRemove them and resume removal?`))
    if (!isSure) return `${overview}\n${hint}`
    if (!(await db.transaction().execute((tx) => approveByOperator(tx, number)))) throw hasChanged()
    await removeApprovedPhotos(db)
    return `${overview}\nRemoved. Their owners can restore them for 7 days.`
  }
}

export const removalCommands: Record<string, Command> = { removals }
