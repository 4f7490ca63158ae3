import {
  approveByOperator,
  dueAccounts,
  numberOf,
  removalStop,
  type DueAccount,
} from '../features/keeping/removal-guard.ts'
import { removeApprovedPhotos } from '../features/keeping/remove-photos.ts'
import { removalDependencies } from '../setup/removal-dependencies.ts'
import { UsageError, type Command } from './command.ts'

const sizeText = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(2)} GB`
const plural = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`
const sumOf = (due: readonly DueAccount[], field: 'photos' | 'bytes'): number =>
  due.reduce((sum, one) => sum + one[field], 0)
const totalText = (due: readonly DueAccount[]): string =>
  `${plural(sumOf(due, 'photos'), 'photo')} of ${plural(due.length, 'account')}, ${sizeText(sumOf(due, 'bytes'))}`

/** One line for each account. */
const accountText = ({ email, photos, bytes, hasFiles }: DueAccount): string =>
  `  ${email}: ${plural(photos, 'photo')}, ${sizeText(bytes)}${hasFiles ? ' (emails about it were kept as files)' : ''}`

const usage = 'removals [--yes [NUMBER]]'

const hasChanged = (): UsageError =>
  new UsageError('something else is due than what was shown, so nothing was removed: run "removals" to see it')

/** The number after `--yes`; null without one, undefined when nothing is to be removed without a question. */
function readApproval(args: readonly string[]): string | null | undefined {
  const [flag, number, ...more] = args
  if (flag === undefined) return undefined
  if (flag !== '--yes' || more.length > 0 || (number !== undefined && !/^[\da-f]{8}$/.test(number)))
    throw new UsageError(usage)
  return number ?? null
}

/**
 * `removals`: what would be removed after the end of larger plans, and why nothing is; with `--yes`, shows and removes it.
 * Nothing is removed that was not shown: the number of an overview is that of exactly its photos.
 */
const removals: Command = (args) => {
  const approval = readApproval(args)
  return async ({ db, log, confirm }) => {
    const [stop, due] = [await removalStop(db), await dueAccounts(db)]
    const stopText = stop ? `Removing photos is stopped since ${stop.at.toISOString()}: ${stop.because}.\n` : ''
    if (!stop && due.length === 0) return 'No photos are due to be removed.'
    const number = numberOf(due)
    const overview = [`${stopText}To be removed now: ${totalText(due)}.`, ...due.map(accountText)].join('\n')
    const hint = `Nothing was changed. To remove exactly these and go on: removals --yes ${number}`
    if (approval && approval !== number) throw hasChanged()
    const isSure = approval !== undefined || (await confirm(`${overview}\nRemove them and go on?`))
    if (!isSure) return `${overview}\n${hint}`
    if (!(await db.transaction().execute((tx) => approveByOperator(tx, number)))) throw hasChanged()
    await removeApprovedPhotos(removalDependencies({ db, log }))
    return `${overview}\nRemoved. Their owners can put them back for 7 days.`
  }
}

/** The commands about photos that are removed after the end of a plan. */
export const removalCommands: Record<string, Command> = { removals }
