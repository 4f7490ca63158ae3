import type { FindingKind, IntegrityFinding } from '@keepsnap/contract/operator-integrity.ts'
import { healthText, type BillingHealth } from '../features/billing/billing-health.ts'
import type { IntegrityReport } from '../features/integrity/findings.ts'

/** What is printed beside what a check found. */
export interface SystemFacts {
  workers: number
  migrations: number
  payments: BillingHealth
}

/** What a kind of problem is called, what it means and what to do. */
interface KindText {
  title: string
  meaning: string
  advice: string
}

const repairMends = 'Run "verify --repair".'
const programMends = 'The program does this by itself every minute while it runs; if the number stays, look at its log.'

export const kindTexts: Record<FindingKind, KindText> = {
  missing: {
    title: 'Files that rows name and that are not stored',
    meaning: 'Guests and owners get an error instead of them.',
    advice:
      '"verify --repair" makes thumbnails and watermarked pictures again from what is left. Others are only in a backup: look for the key in its folder of files, or ask the owner to upload the photo again.',
  },
  damaged: {
    title: 'Files that are damaged',
    meaning: 'Their bytes are not those that were stored: the disk or the store has changed or lost some.',
    advice:
      '"verify --repair" makes thumbnails and watermarked pictures again from what is left. Look at the disk (SMART values, its log), and take other files from a backup.',
  },
  untracked: {
    title: 'Stored files that nothing knows, older than a day',
    meaning: 'They take room and nobody can see them. If they are many, this may be the store of another database.',
    advice: 'They are removed every night, or by "verify --repair", unless they are too many to be leftovers.',
  },
  unregistered: {
    title: 'Photos with files that are not written down',
    meaning: 'The files would be forgotten when the photo is deleted.',
    advice: repairMends,
  },
  incomplete: {
    title: 'Photos whose row lacks a file that its state wants',
    meaning: 'The row was changed by something other than this program.',
    advice: 'Look at the row, or take it from a backup.',
  },
  counts: {
    title: 'Months of which more photos exist than are counted',
    meaning: 'The account can upload more than its plan includes.',
    advice: repairMends,
  },
  photos: {
    title: 'Photos that have been waiting for too long',
    meaning: 'They were accepted and are not ready: guests do not see them yet.',
    advice: `See whether a program with a worker runs, and whether it is busy. ${repairMends}`,
  },
  'jobs-failed': {
    title: 'Jobs without attempts left',
    meaning: 'Something was tried as often as is allowed and never worked.',
    advice: `Look at the log for the reason and remove it. Then run "verify --repair", which tries them again.`,
  },
  'jobs-waiting': {
    title: 'Jobs that are due and do not run',
    meaning: 'No program runs them, or the programs cannot keep up, or one has ended in the middle.',
    advice: 'See whether a program with a worker runs ("serve" or "work"), and how busy it is.',
  },
  deletions: {
    title: 'Deleted photos whose files are still stored after a day',
    meaning: 'Somebody deleted them and expects them to be gone.',
    advice: `${programMends} ${repairMends}`,
  },
  emails: {
    title: 'Emails that wait',
    meaning: 'The mail server does not take them, or no program sends them.',
    advice: 'See SMTP_URL, the mail server, and the page /admin, which shows its newest answer.',
  },
  payments: {
    title: 'Payments that are not finished',
    meaning: 'News of the payment provider, refunds or endings were not applied in time.',
    advice: 'See the command "billing" and the log. The program tries again every hour.',
  },
  plans: {
    title: 'Accounts whose plan is not what the payment provider said',
    meaning: 'They have more or less than they pay for.',
    advice: `Run "verify --repair", which asks the payment provider again, or "billing EMAIL --sync".`,
  },
  webhooks: {
    title: 'Webhook deliveries that are late',
    meaning: 'Customers’ programs are not told of their photos.',
    advice: programMends,
  },
  expired: {
    title: 'Rows and files that should have been deleted',
    meaning: 'Their time is over, and the job that deletes them has not done so.',
    advice: `${programMends} ${repairMends}`,
  },
}

const plural = (count: number, thing: string): string =>
  `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`
const sizeText = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`

function findingLines({ kind, count, examples, since }: IntegrityFinding): string[] {
  const { title, meaning, advice } = kindTexts[kind]
  const hidden = count - examples.length
  return [
    `WRONG  ${title}: ${count.toLocaleString('en')}${since === null ? '' : `, since ${since}`}`,
    `       ${meaning} ${advice}`,
    ...examples.map((example) => `         ${example}`),
    ...(hidden > 0 ? [`         and ${hidden.toLocaleString('en')} more`] : []),
  ]
}

/** What a check found, in words. */
export function reportText(report: IntegrityReport, { workers, migrations, payments }: SystemFacts): string {
  const { objects, bytes, named, withoutChecksum, compared, findings, seconds } = report
  const wrong = new Set(findings.map(({ kind }) => kind))
  const well = Object.entries(kindTexts).filter(([kind]) => !wrong.has(kind as FindingKind)) // the keys of the record's type
  return [
    `ok     Database: ${plural(migrations, 'migration')} applied, none missing.`,
    workers === 0
      ? 'note   No program runs jobs now, so whatever waits goes on waiting until one does.'
      : `ok     ${plural(workers, 'program')} run${workers === 1 ? 's' : ''} jobs.`,
    `${wrong.has('payments') || payments.mismatches ? 'note ' : 'ok   '}  ${healthText(payments)}`,
    `ok     ${plural(objects, 'stored file')} (${sizeText(bytes)}); rows name ${named.toLocaleString('en')}. The sizes of all were compared.`,
    `ok     ${plural(compared, 'file')} read and compared with the checksum.`,
    ...(withoutChecksum > 0
      ? [
          `note   ${plural(withoutChecksum, 'file')} of an earlier version ${withoutChecksum === 1 ? 'has' : 'have'} no checksum, so only the size is compared. "verify --all --repair" reads them and writes their checksums down.`,
        ]
      : []),
    ...well.map(([, { title }]) => `ok     ${title}: 0`),
    ...findings.flatMap(findingLines),
    findings.length === 0
      ? `Nothing is wrong (${seconds} s).`
      : `${plural(findings.length, 'kind')} of problems (${seconds} s).`,
  ].join('\n')
}

/** What a repair did and could not do, in words. */
export const repairText = ({ done, notDone }: { done: readonly string[]; notDone: readonly string[] }): string[] => [
  ...(done.length + notDone.length === 0 ? ['Nothing could be mended.'] : []),
  ...done.map((sentence) => `mended ${sentence}`),
  ...notDone.map((sentence) => `NOT MENDED  ${sentence}`),
]
