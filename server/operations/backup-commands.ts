import { resolve } from 'node:path'
import { backUp, type FinishedBackup } from './back-up.ts'
import { checkWhenDue } from './check-backup.ts'
import { createProgress, plural, sizeText } from '../lib/operator-texts.ts'
import { type Erasers, type FinishedRestore, restore, withCheckedBackup } from './restore.ts'
import { contentsText, countsOf, countsText } from './backup-manifest.ts'
import { takeSyncProblem } from './backup-folder.ts'
import type { Db } from '../platform/db/connect.ts'
import { knowsKeyInUse, openSecretKeys } from '../platform/db/secret-keys.ts'
import { loadSecretKeys } from '../platform/process/secret-key-file.ts'
import { StartupError } from '../faults.ts'
import { eraseAccounts } from '../features/accounts/account-deletion.ts'
import { createTokens } from '../features/accounts/tokens.ts'
import { eraseGuestsAgain } from '../features/operators/guests.ts'
import { erasePhotos } from '../features/photos/delete.ts'
import { openStorageInUse, openStorageOfSettings } from '../open-ports.ts'
import { type AppCommand, readArguments, UsageError } from './command.ts'
import type { Config } from '../config.ts'
import type { DatabaseConnection } from '../platform/postgres/open-database.ts'

const shownMax = 20
const keepDefault = 7
const keepMax = 1_000
const backupUsage = `backup DIR [--keep ${keepDefault}] [--accept-smaller] [--adopt]`
const restoreUsage =
  'restore DIR [--check] [--from NAME] [--erasures FILE] [--with-deleted-photos] [--keep-files] [--other-key] [--leave-out-damaged]'

const listText = (keys: readonly string[]): string[] => [
  ...keys.slice(0, shownMax).map((key) => `  ${key}`),
  ...(keys.length > shownMax ? [`  and ${keys.length - shownMax} more`] : []),
]

const keyText = ({ secretKey }: FinishedBackup['manifest']): string =>
  secretKey.file
    ? 'It contains the secret key: protect it like the data folder.'
    : 'It does not contain SECRET_KEY: keep that elsewhere. A restore needs it.'

function backupText(dir: string, finished: FinishedBackup): string {
  const { manifest, newFiles, newBytes, deletedMeanwhile, isRecorded, kept, smallerThan } = finished
  const syncProblem = takeSyncProblem()
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  return [
    `Backup ${manifest.name} in ${dir}: ${plural(rows, 'row')}, ${plural(manifest.files, 'file')} (${sizeText(manifest.fileBytes)}), of which ${newFiles} new (${sizeText(newBytes)}). ${plural(kept, 'backup')} in this folder.`,
    ...(deletedMeanwhile ? [`${plural(deletedMeanwhile, 'file')} deleted or replaced while they were copied.`] : []),
    keyText(manifest),
    ...(isRecorded || smallerThan
      ? []
      : ['The time of this backup could not be saved in the database, so /admin and the metrics do not show it.']),
    ...(syncProblem === undefined
      ? []
      : [
          `WARNING: the file system of ${dir} cannot confirm what is on its disk (${syncProblem}), so a power failure now may damage this backup.`,
        ]),
  ].join('\n')
}

/** The backup is there, but the operator must know what database or store have lost, and what the disk of the backups has. */
function reportLosses(
  dir: string,
  text: string,
  { manifest, missing, damaged, smallerThan }: FinishedBackup,
  damage: string | null,
): string {
  if (missing.length + damaged.length === 0 && !smallerThan && damage === null) return text
  const lines = [
    text,
    ...(smallerThan
      ? [
          `It has ${countsText(countsOf(manifest))}: fewer than half of the accounts or photos of ${contentsText(smallerThan)}. Is this the right database? It does not count as a good backup: no backup was removed from the folder, and "restore" takes ${smallerThan.name}. If it is right: backup ${dir} --accept-smaller`,
        ]
      : []),
    ...(missing.length
      ? [
          `${plural(missing.length, 'file')} referenced by the database but missing from the store:`,
          ...listText(missing),
        ]
      : []),
    ...(damaged.length
      ? [`${plural(damaged.length, 'file')} whose size differs from the one in the database:`, ...listText(damaged)]
      : []),
    ...(damage === null ? [] : [`Files of the backup ${manifest.name} are not as they were written:`, damage]),
  ]
  throw new StartupError(lines.join('\n'))
}

/**
 * A backup records which secret key a restore needs, so this command must run with the same key as the server.
 * @throws StartupError when the database is used with another one
 */
async function refuseOtherKey(db: Db, config: Config): Promise<void> {
  if (await knowsKeyInUse(db, await loadSecretKeys(config))) return
  throw new StartupError(
    'The secret key is not the one that this database is used with, so a restore would ask for the wrong key. Nothing was backed up. Run this with the same settings as the server.',
  )
}

/** `backup DIR`: backs up everything while the server runs; copies only new files. */
const backup: AppCommand = (args) => {
  const { given, options } = readArguments(args, {
    usage: backupUsage,
    given: 1,
    flags: ['--accept-smaller', '--adopt'],
    values: ['--keep'],
  })
  const [dir = ''] = given
  const keep = Number(options.get('--keep') ?? keepDefault)
  if (!Number.isInteger(keep) || keep < 1 || keep > keepMax)
    throw new UsageError(`${backupUsage}, with a whole number of backups from 1 to ${keepMax}`)
  return async ({ config, database, db, log, lowerPriority }) => {
    lowerPriority()
    await refuseOtherKey(db, config)
    // It only reads, and names what it does not find.
    const { storage, close } = await openStorageInUse({ config, db, log, foreignStore: 'use' })
    const progress = createProgress(process.stderr)
    const acceptance = { adopt: options.has('--adopt'), acceptSmaller: options.has('--accept-smaller') }
    const finished = await backUp({ dir, keep, config, database, storage, progress, ...acceptance }).finally(close)
    const { checked, damage } = await checkWhenDue(db, { dir: resolve(dir), manifest: finished.manifest, progress })
    const text = backupText(dir, finished)
    return reportLosses(
      dir,
      checked && damage === null ? `${text}\nRead back, as every week: all checksums match.` : text,
      finished,
      damage,
    )
  }
}

/** What a restore works with: it opens the database itself, after the backup was checked, and migrates it in its own way. */
interface RestoreContext {
  config: Config
  openDatabase(): Promise<DatabaseConnection['database']>
}

function restoreText(config: Config, { manifest, files, bytes, erased, missing, damaged }: FinishedRestore): string {
  const moved = manifest.publicUrl !== config.publicUrl
  return [
    `Restored the backup ${manifest.name}: ${plural(files, 'file')} (${sizeText(bytes)}).`,
    ...(erased.accounts + erased.photos + erased.guests
      ? [
          `Deleted again, because they had been deleted after the backup: ${plural(erased.accounts, 'account')}, ${plural(erased.photos, 'photo')}, ${plural(erased.guests, 'guest')}.`,
        ]
      : []),
    ...(missing.length
      ? [`Already missing when the backup was made: ${plural(missing.length, 'file')}:`, ...listText(missing)]
      : []),
    ...(damaged.length
      ? [
          `Skipped because they are damaged in the backup: ${plural(damaged.length, 'file')}; "verify --repair" regenerates those it can:`,
          ...listText(damaged),
        ]
      : []),
    ...(moved
      ? [`PUBLIC_URL is ${config.publicUrl}, but printed codes and emails already sent use ${manifest.publicUrl}.`]
      : []),
    'You can now start the server.',
  ].join('\n')
}

/** What deletes again what a backup has brought back. */
export const erasersFor = (config: Config): Erasers => ({
  accounts: (db, ids) => eraseAccounts(db, config.mail, ids),
  photos: erasePhotos,
  guests: async (db, guests) => eraseGuestsAgain(db, createTokens(await openSecretKeys(config, db)), guests),
})

/** `restore DIR`: a backup into an empty installation; `--check` only reads the backup. */
export const restoreCommand = (args: readonly string[]): ((context: RestoreContext) => Promise<string>) => {
  const { given, options } = readArguments(args, {
    usage: restoreUsage,
    given: 1,
    flags: ['--check', '--with-deleted-photos', '--keep-files', '--other-key', '--leave-out-damaged'],
    values: ['--from', '--erasures'],
  })
  const [dir = ''] = given
  const from = options.get('--from')
  const progress = createProgress(process.stderr)
  if (options.has('--check'))
    return () =>
      withCheckedBackup(
        { dir, from, progress },
        async ({ manifest: { name, files, fileBytes } }) =>
          `The backup ${name} is complete: ${plural(files, 'file')} (${sizeText(fileBytes)}), all checksums match.`,
      )
  return async ({ config, openDatabase }) => {
    const finished = await restore({
      dir,
      from,
      keepFiles: options.has('--keep-files'),
      otherKey: options.has('--other-key'),
      leaveOutDamaged: options.has('--leave-out-damaged'),
      withDeletedPhotos: options.has('--with-deleted-photos'),
      erasuresFile: options.get('--erasures'),
      config,
      openTarget: async () => ({ database: await openDatabase(), storage: await openStorageOfSettings(config) }),
      erasers: erasersFor(config),
      progress,
      announce: (text) => void process.stderr.write(`${text}\n`),
    })
    return restoreText(config, finished)
  }
}

export const backupCommands: Record<string, AppCommand> = { backup }
