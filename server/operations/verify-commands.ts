import type { FindingKind, IntegrityFinding } from '@keepsnap/contract/operators.ts'
import { type BillingHealth, billingHealth, healthText } from '../features/plans/billing-health.ts'
import { countWorkers, type IntegrityReport } from '../features/operators/check-database.ts'
import { createProgress, sizeText } from '../lib/operator-texts.ts'
import { countMigrations } from '../platform/db/migrate.ts'
import {
  checkEverything,
  type CheckOptions,
  defaultSample,
  type FinishedCheck,
  repair,
  type RepairResult,
  storeReport,
} from '../features/operators/integrity.ts'
import { createLazyImagePool, openStorageInUse } from '../open-ports.ts'
import { type AppCommand, type AppCommandContext, type CommandOutput, readArguments, UsageError } from './command.ts'

const usage = `verify [--all | --sample ${defaultSample}] [--repair [--yes]] [--json]`
const sampleMax = 1_000_000

function readOptions(args: readonly string[]) {
  const { options } = readArguments(args, {
    usage,
    given: 0,
    flags: ['--all', '--json', '--repair', '--yes'],
    values: ['--sample'],
  })
  const [all, sample] = [options.has('--all'), options.get('--sample')]
  const [repair, yes] = [options.has('--repair'), options.has('--yes')]
  const isRepeated = new Set(args).size < args.length
  if (isRepeated || (all && sample !== undefined) || (yes && !repair)) throw new UsageError(usage)
  if (sample !== undefined && (!/^\d+$/.test(sample) || Number(sample) > sampleMax))
    throw new UsageError(`${usage}, with a whole number of files from 0 to ${sampleMax}`)
  const read = all ? ('all' as const) : Number(sample ?? defaultSample)
  return { sample: read, json: options.has('--json'), repair, yes }
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
  try {
    const result = await repair({ db, storage, log, images: images.get, check, onProgress })
    const { lost: damaged } = result
    const recheck = await checkEverything({ db, storage, log, by: 'command', sample: 0, onProgress, damaged })
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
  options: ReturnType<typeof readOptions>,
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

export const verifyCommands: Record<string, AppCommand> = { verify }

interface SystemSummary {
  workers: number
  migrations: number
  payments: BillingHealth
}

/** What a kind of problem is called, what it means and what to do. */
interface FindingText {
  title: string
  meaning: string
  advice: string
}

const manualRepair = 'Run "verify --repair".'
const automaticRepair = 'The server retries this every minute. If the number does not drop, look at its log.'

const findingTexts: Record<FindingKind, FindingText> = {
  missing: {
    title: 'Missing files (referenced by the database but not stored)',
    meaning: 'Guests and owners get an error instead of them.',
    advice:
      '"verify --repair" regenerates thumbnails and watermarked pictures from the remaining files. Others are only in a backup: look for the key in its folder of files, or ask the owner to upload the photo again.',
  },
  damaged: {
    title: 'Damaged files',
    meaning: 'Their contents differ from what was stored: the disk or the store has changed or lost data.',
    advice:
      '"verify --repair" regenerates thumbnails and watermarked pictures from the remaining files. Look at the disk (SMART values, its log), and take other files from a backup.',
  },
  untracked: {
    title: 'Orphaned files older than a day',
    meaning:
      'They take up space, and nothing refers to them. If there are many, this may be the store of another database.',
    advice: 'They are removed every night, or by "verify --repair", unless there are too many to be leftovers.',
  },
  unregistered: {
    title: 'Photos with unregistered files',
    meaning: 'The files would not be deleted with the photo.',
    advice: manualRepair,
  },
  incomplete: {
    title: 'Photos without a file that their state requires',
    meaning: 'The row was changed by something other than this program.',
    advice: 'Look at the row, or take it from a backup.',
  },
  counts: {
    title: 'Months with more photos than counted',
    meaning: 'The account can upload more than its plan includes.',
    advice: manualRepair,
  },
  'photo-counts': {
    title: 'Accounts with a wrong number of photos',
    meaning: 'The API tells the account a wrong number. Nothing else depends on it.',
    advice: manualRepair,
  },
  photos: {
    title: 'Photos that have been waiting for too long',
    meaning: 'They were accepted and are not ready: guests do not see them yet.',
    advice: `See whether a program with a worker runs, and whether it is busy. ${manualRepair}`,
  },
  'jobs-failed': {
    title: 'Jobs that failed permanently',
    meaning: 'They failed at every attempt, and no attempts are left.',
    advice: `Find the reason in the log and remove it. Then run "verify --repair", which tries them again.`,
  },
  'jobs-waiting': {
    title: 'Jobs that are due and do not run',
    meaning: 'No program runs them, or the programs cannot keep up, or one was interrupted.',
    advice: 'See whether a program with a worker runs ("serve" or "work"), and how busy it is.',
  },
  deletions: {
    title: 'Deleted photos whose files are still stored after a day',
    meaning: 'Somebody deleted them and expects them to be gone.',
    advice: `${automaticRepair} ${manualRepair}`,
  },
  emails: {
    title: 'Delayed emails',
    meaning: 'The mail server does not take them, or no program sends them.',
    advice: 'See SMTP_URL, the mail server, and the page /admin, which shows its newest answer.',
  },
  payments: {
    title: 'Payments that are not finished',
    meaning: 'Payment events, refunds or closed customers were not processed in time.',
    advice: 'See the command "billing" and the log. The program tries again every hour.',
  },
  plans: {
    title: 'Accounts whose plan is not what the payment provider said',
    meaning: 'They have more or less than they pay for.',
    advice: `Run "verify --repair", which asks the payment provider again, or "billing EMAIL --sync".`,
  },
  webhooks: {
    title: 'Webhook deliveries that are late',
    meaning: 'Customers’ programs are not notified about their photos.',
    advice: automaticRepair,
  },
  expired: {
    title: 'Rows and files that should have been deleted',
    meaning: 'They have expired, but the clean-up job has not deleted them.',
    advice: `${automaticRepair} ${manualRepair}`,
  },
  unfinished: {
    title: 'Steps of the check that failed',
    meaning: 'What they look for is not in this result.',
    advice: 'Find the reason in the log and remove it. Then run "verify" again.',
  },
}

const plural = (count: number, thing: string): string =>
  `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`

function findingLines({ kind, count, examples, since }: IntegrityFinding): string[] {
  const { title, meaning, advice } = findingTexts[kind]
  const hidden = count - examples.length
  return [
    `WRONG  ${title}: ${count.toLocaleString('en')}${since === null ? '' : `, since ${since}`}`,
    `       ${meaning} ${advice}`,
    ...examples.map((example) => `         ${example}`),
    ...(hidden > 0 ? [`         and ${hidden.toLocaleString('en')} more`] : []),
  ]
}

function reportText(report: IntegrityReport, { workers, migrations, payments }: SystemSummary): string {
  const { objects, bytes, named, withoutChecksum, compared, findings, seconds, otherNames } = report
  const wrong = new Set(findings.map(({ kind }) => kind))
  const passedChecks = Object.entries(findingTexts).filter(([kind]) => !wrong.has(kind as FindingKind)) // the keys of the record's type
  return [
    `ok     Database: ${plural(migrations, 'migration')} applied, none missing.`,
    workers === 0
      ? 'note   No worker is running, so waiting jobs do not run until one starts.'
      : `ok     ${plural(workers, 'program')} run${workers === 1 ? 's' : ''} jobs.`,
    `${wrong.has('payments') || payments.mismatches ? 'note ' : 'ok   '}  ${healthText(payments)}`,
    `ok     ${plural(objects, 'stored file')} (${sizeText(bytes)}); the database refers to ${named.toLocaleString('en')}. The sizes of all were compared.`,
    `ok     ${plural(compared, 'file')} read and compared with the checksum.`,
    ...(withoutChecksum > 0
      ? [
          `note   ${plural(withoutChecksum, 'file')} of an earlier version ${withoutChecksum === 1 ? 'has' : 'have'} no checksum, so only the size is compared. "verify --all --repair" reads them and saves their checksums.`,
        ]
      : []),
    ...(otherNames?.count
      ? [
          `note   ${plural(otherNames.count, 'other name')} in the store, which Keepsnap did not write and does not read:`,
          ...otherNames.examples.map((name) => `         ${name}`),
        ]
      : []),
    ...passedChecks.map(([, { title }]) => `ok     ${title}: 0`),
    ...findings.flatMap(findingLines),
    findings.length === 0
      ? `Nothing is wrong (${seconds} s).`
      : `${plural(findings.length, 'kind')} of problems (${seconds} s).`,
  ].join('\n')
}

const repairText = ({ done, notDone }: { done: readonly string[]; notDone: readonly string[] }): string[] => [
  ...(done.length + notDone.length === 0 ? ['Nothing could be repaired.'] : []),
  ...done.map((sentence) => `repaired ${sentence}`),
  ...notDone.map((sentence) => `NOT REPAIRED  ${sentence}`),
]
