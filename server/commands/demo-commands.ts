import type { Db } from '../db/connect.ts'
import { customerOfEmail } from '../features/billing/billing-state.ts'
import { advanceDemoBilling } from '../features/billing/move-demo-clock.ts'
import { registeredProvider } from '../features/billing/register-provider.ts'
import { plural, timeText } from '../lib/operator-texts.ts'
import { openPayments } from '../setup/open-payments.ts'
import { maxClockDays, readDemoClock, type DemoClock } from '../ports/payments/demo-clock.ts'
import type { DemoPayments } from '../ports/payments/demo.ts'
import { noAccount, readEmail, UsageError, type Command, type CommandContext } from './command.ts'

/** How many photos of how many accounts are removed when the billing clock shows a time. */
export type CountRemovals = (db: Db, time: Date) => Promise<{ photos: number; accounts: number }>

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
  { photos, accounts }: Awaited<ReturnType<CountRemovals>>,
  { text }: Move,
): Promise<void> {
  if (photos === 0) return
  const effect = `moving the clock by ${text} removes ${plural(photos, 'photo')} of ${plural(accounts, 'account')}`
  if (!(await confirm(`${effect}. Move it?`))) throw new UsageError(`${effect}; add --yes to do it`)
}

/** `demo-clock`: shows the clock of demo payments, or moves it forward. */
const demoClock =
  (countRemovals: CountRemovals): Command =>
  (args) => {
    const move = parseMove(args)
    return async (context) => {
      const { db, log } = context
      const demo = await requireDemo('demo-clock', context)
      const before = await readDemoClock(db)
      if (!move) return clockText(before)
      if (!args.includes('--yes')) {
        const target = new Date(before.now.getTime() + move.seconds * 1_000)
        await confirmRemovals(context, await countRemovals(db, target), move)
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

/** The commands about demo payments. */
export const demoCommands = (countRemovals: CountRemovals): Record<string, Command> => ({
  'demo-clock': demoClock(countRemovals),
  'demo-card': demoCard,
})
