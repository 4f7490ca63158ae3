import { createProgress } from '../backup/progress.ts'
import { countMigrations } from '../db/migrate.ts'
import { keepPhotoCount } from '../features/accounts/queries.ts'
import { billingHealth } from '../features/billing/billing-health.ts'
import { enqueueSyncsOfAccounts } from '../features/billing/payment-events.ts'
import {
  checkEverything,
  defaultSample,
  storeReport,
  type CheckOptions,
  type FinishedCheck,
} from '../features/integrity/check-everything.ts'
import { countWorkers } from '../features/integrity/check-overdue-work.ts'
import { repair, type RepairResult } from '../features/integrity/repair.ts'
import { rebuildFullImage, rebuildThumbnail } from '../features/photos/rebuild-images.ts'
import { recountMonth } from '../features/photos/recount.ts'
import { openStorageInUse } from '../setup/open-storage.ts'
import { createLazyImagePool } from '../runtime/lazy-image-pool.ts'
import { UsageError, type AppCommand, type AppCommandContext, type CommandOutput } from './command.ts'
import { repairText, reportText, type SystemSummary } from './verify-text.ts'

const usage = `verify [--all | --sample ${defaultSample}] [--repair [--yes]] [--json]`
const sampleMax = 1_000_000

interface VerifyOptions {
  sample: number | 'all'
  json: boolean
  repair: boolean
  yes: boolean
}

function readOptions(args: readonly string[]): VerifyOptions {
  const given = new Set<string>()
  let sample: VerifyOptions['sample'] = defaultSample
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (given.has(arg) || !['--json', '--all', '--sample', '--repair', '--yes'].includes(arg))
      throw new UsageError(usage)
    given.add(arg)
    if (arg === '--all') sample = 'all'
    if (arg !== '--sample') continue
    const text = args[++at] ?? ''
    sample = Number(text)
    if (!/^\d+$/.test(text) || sample > sampleMax)
      throw new UsageError(`${usage}, with a whole number of files from 0 to ${sampleMax}`)
  }
  if (given.has('--all') && given.has('--sample')) throw new UsageError(usage)
  if (given.has('--yes') && !given.has('--repair')) throw new UsageError(usage)
  return { sample, json: given.has('--json'), repair: given.has('--repair'), yes: given.has('--yes') }
}

type Progress = NonNullable<CheckOptions['onProgress']>

/** Writes to stderr, so that stdout has only the report. */
function showProgress(): { onProgress: Progress; end: () => void } {
  const progress = createProgress(process.stderr)
  let step = ''
  return {
    onProgress(name, done, total) {
      if (name !== step) progress.step((step = name))
      progress.count(done, total ?? done + 1)
    },
    end: progress.end,
  }
}

/** Repairs, then checks again without reading the files that were read before; what is lost stays in the report. */
async function repairAndRecheck(
  { config, log, db }: AppCommandContext,
  { check, storage, onProgress }: { check: FinishedCheck; storage: CheckOptions['storage']; onProgress: Progress },
): Promise<{ result: RepairResult; recheck: FinishedCheck }> {
  const images = createLazyImagePool({ config, log })
  const deps = { db, storage, images: images.get }
  try {
    const result = await repair({
      db,
      storage,
      log,
      check,
      onProgress,
      repairers: {
        rebuildThumbnail: (photoId, isIntact) => rebuildThumbnail(deps, photoId, isIntact),
        rebuildFullImage: (photoId, isIntact) => rebuildFullImage(deps, photoId, isIntact),
        recount: (userId, month) => recountMonth(db, userId, month),
        recountPhotos: (userId) => keepPhotoCount(db, userId),
        syncAccounts: (userIds) => enqueueSyncsOfAccounts(db, userIds),
      },
    })
    const recheck = await checkEverything({
      db,
      storage,
      log,
      by: 'command',
      sample: 0,
      onProgress,
      damaged: result.lost,
    })
    return { result, recheck }
  } finally {
    await images.close()
  }
}

const readSummary = async (db: AppCommandContext['db']): Promise<SystemSummary> => ({
  workers: await countWorkers(db),
  migrations: await countMigrations(db),
  payments: await billingHealth(db),
})

/** Checks, repairs if requested, and stores the report; resolves with what to print. */
async function runVerify(
  options: VerifyOptions,
  context: AppCommandContext,
  storage: CheckOptions['storage'],
): Promise<CommandOutput> {
  const { db, log, confirm } = context
  const { onProgress, end } = showProgress()
  const check = await checkEverything({ db, storage, log, by: 'command', sample: options.sample, onProgress })
  end()
  const isAnythingToRepair = check.report.findings.length + check.files.newChecksums.length > 0
  const question = `${reportText(check.report, await readSummary(db))}\nRepair what can be repaired without data loss?`
  const isSure = options.repair && isAnythingToRepair && (options.yes || (await confirm(question)))
  const repairOutcome = isSure ? await repairAndRecheck(context, { check, storage, onProgress }) : undefined
  end()
  const { report } = repairOutcome?.recheck ?? check
  const summary = await readSummary(db)
  await storeReport(db, report)
  const repaired = repairOutcome && { done: repairOutcome.result.done, notDone: repairOutcome.result.notDone }
  const hint = options.repair && isAnythingToRepair && !isSure ? ['Nothing was repaired. Add --yes to repair it.'] : []
  return {
    text: options.json
      ? JSON.stringify({ ...report, ...summary, ...(repaired && { repaired }) }, null, 2)
      : [...(repaired ? repairText(repaired) : []), reportText(report, summary), ...hint].join('\n'),
    exitStatus: report.findings.length > 0 ? 1 : 0,
  }
}

/** `verify`: checks the database, stored files, counts and jobs; with `--repair`, repairs what it can without data loss. */
const verify: AppCommand = (args) => {
  const options = readOptions(args)
  return async (context) => {
    context.lowerPriority()
    // Without `--repair` it only reads.
    const foreignStore = options.repair ? 'refuse' : 'use'
    const { storage, close } = await openStorageInUse({ ...context, foreignStore })
    return runVerify(options, context, storage).finally(close)
  }
}

/** The command that checks the integrity of everything stored. */
export const verifyCommands: Record<string, AppCommand> = { verify }
