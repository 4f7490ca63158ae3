import {
  approveByOperator,
  dueAccounts,
  removalFingerprint,
  removalStop,
  type DueAccount,
} from '../features/keeping/removal-guard.ts'
import { removeApprovedPhotos } from '../features/keeping/remove-photos.ts'
import { plural } from '../lib/operator-texts.ts'
import { removalDependencies } from '../setup/removal-dependencies.ts'
import { UsageError, type Command } from './command.ts'

const sizeText = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(2)} GB`
const sumOf = (due: readonly DueAccount[], field: 'photos' | 'bytes'): number =>
  due.reduce((sum, one) => sum + one[field], 0)
const totalText = (due: readonly DueAccount[]): string =>
  `${plural(sumOf(due, 'photos'), 'photo')} of ${plural(due.length, 'account')}, ${sizeText(sumOf(due, 'bytes'))}`

/** One line for each account. */
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
  return async ({ db, log, confirm }) => {
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
    await removeApprovedPhotos(removalDependencies({ db, log }))
    return `${overview}\nRemoved. Their owners can restore them for 7 days.`
  }
}

/** The commands about photos that are removed after the end of a plan. */
export const removalCommands: Record<string, Command> = { removals }
