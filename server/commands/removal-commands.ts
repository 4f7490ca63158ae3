import { dueAccounts, removalStop, approveByOperator, type DueAccount } from '../features/keeping/removal-guard.ts'
import { removeApprovedPhotos } from '../features/keeping/remove-photos.ts'
import { removalDependencies } from '../removal-dependencies.ts'
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

/** `removals`: what would be removed after the end of larger plans, and why nothing is; with `--yes`, removes it. */
const removals: Command = (args) => {
  if (args.some((arg) => arg !== '--yes')) throw new UsageError('removals [--yes]')
  return async ({ db, log, confirm }) => {
    const [stop, due] = [await removalStop(db), await dueAccounts(db)]
    const stopText = stop ? `Removing photos is stopped since ${stop.at.toISOString()}: ${stop.because}.\n` : ''
    if (!stop && due.length === 0) return 'No photos are due to be removed.'
    const overview = [`${stopText}To be removed now: ${totalText(due)}.`, ...due.map(accountText)].join('\n')
    const isSure = args.includes('--yes') || (await confirm(`${overview}\nRemove them and go on?`))
    if (!isSure) return `${overview}\nNothing was changed. Add --yes to remove them and to go on.`
    await db.transaction().execute(approveByOperator)
    await removeApprovedPhotos(removalDependencies({ db, log }))
    return `${overview}\nRemoved. Their owners can put them back for 7 days.`
  }
}

/** The commands about photos that are removed after the end of a plan. */
export const removalCommands: Record<string, Command> = { removals }
