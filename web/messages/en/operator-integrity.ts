/** The integrity check on the page for operators. */
export const operatorIntegrity = {
  heading: 'Integrity check',
  lead: 'Every night, the database is compared with stored files, usage counts, jobs, emails and payments.',
  start: 'Check now',
  running: 'A check is running. The result appears here.',
  started: 'The check has started.',
  startFailed: 'The check couldn’t be started. Please try again.',
  never: 'Nothing has been checked yet. The first check runs tonight.',
  good: 'Nothing is missing, damaged or late.',
  checked: (objects: string, compared: string, when: string) =>
    `${when}: ${objects} files stored, ${compared} read and compared with their checksum`,
  removed: (count: number, written: string) =>
    count === 1 ? '1 orphaned file was removed' : `${written} orphaned files were removed`,
  withoutChecksum: (count: number, written: string) =>
    count === 1
      ? '1 file of an earlier version has no checksum: only its size is compared'
      : `${written} files of an earlier version have no checksum: only their size is compared`,
  otherNames: (count: number, written: string, examples: string) =>
    count === 1
      ? `1 name in the store is not one of Keepsnap’s: ${examples}`
      : `${written} names in the store are not Keepsnap’s, such as ${examples}`,
  since: (when: string) => `Since ${when}.`,
  first: (shown: number) => (shown === 1 ? 'Show it' : `Show the first ${shown}`),
  repair: 'The command verify --repair repairs what can be repaired without losing data.',
  kinds: {
    missing: {
      name: 'Files are missing',
      hint: 'Guests and owners get an error instead. Look for them in a backup.',
    },
    damaged: {
      name: 'Files are damaged',
      hint: 'Their bytes have changed. Look at the disk, and for the files in a backup.',
    },
    untracked: {
      name: 'Orphaned files',
      hint: 'Too many to be leftovers, so none was removed. Is this the store of another database?',
    },
    unregistered: {
      name: 'Untracked files',
      hint: 'They would not be deleted together with their photo.',
    },
    incomplete: {
      name: 'Photos without a file',
      hint: 'Their database rows were changed by something other than this program.',
    },
    counts: { name: 'Months counted too low', hint: 'These accounts can upload more than their plan includes.' },
    'photo-counts': { name: 'Wrong numbers of photos', hint: 'The API tells these accounts a wrong number of photos.' },
    photos: { name: 'Delayed photos', hint: 'They were accepted, and guests don’t see them yet.' },
    'jobs-failed': { name: 'Jobs that failed permanently', hint: 'The log says why they failed.' },
    'jobs-waiting': { name: 'Jobs that don’t run', hint: 'No program runs them, or the programs can’t keep up.' },
    deletions: {
      name: 'Overdue deletions',
      hint: 'Somebody deleted these photos, and their files are still stored.',
    },
    emails: { name: 'Delayed emails', hint: 'The mail server doesn’t take them, or no program sends them.' },
    payments: {
      name: 'Payments that aren’t finished',
      hint: 'Payment events, refunds or cancellations are still pending.',
    },
    plans: { name: 'Plans that differ from payments', hint: 'These accounts have more or less than they pay for.' },
    webhooks: { name: 'Overdue webhook deliveries', hint: 'Customers’ programs aren’t notified about their photos.' },
    expired: { name: 'Expired data', hint: 'The job that deletes it has not done so.' },
    unfinished: {
      name: 'Steps of the check that failed',
      hint: 'What they look for is not in this result. The log says why they failed.',
    },
  },
}
