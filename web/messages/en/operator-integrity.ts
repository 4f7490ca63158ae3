/** The integrity check on the page for operators; docs/behaviour.md section 19. */
export const operatorIntegrity = {
  heading: 'Integrity check',
  lead: 'Rows, stored files, counts, jobs, emails and payments are compared with each other every night.',
  start: 'Check now',
  running: 'A check is running. The result appears here.',
  started: 'The check has started.',
  startFailed: 'The check couldn’t be started. Please try again.',
  never: 'Nothing has been checked yet. The first check runs in the night.',
  good: 'Nothing is missing, damaged or late.',
  checked: (objects: string, compared: string, when: string) =>
    `${when}: ${objects} files stored, ${compared} read and compared with their checksum`,
  removed: (count: number, written: string) =>
    count === 1 ? '1 file that nothing knew was removed' : `${written} files that nothing knew were removed`,
  withoutChecksum: (count: number, written: string) =>
    count === 1
      ? '1 file of an earlier version has no checksum: only its size is compared'
      : `${written} files of an earlier version have no checksum: only their size is compared`,
  since: (when: string) => `Since ${when}.`,
  first: (shown: number) => (shown === 1 ? 'Show it' : `Show the first ${shown}`),
  repair: 'The command verify --repair mends what can be mended without loss.',
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
      name: 'Files that nothing knows',
      hint: 'Too many to be leftovers, so none was removed. Is this the store of another database?',
    },
    unregistered: {
      name: 'Files that are not written down',
      hint: 'They would be forgotten when their photo is deleted.',
    },
    incomplete: { name: 'Photos without a file', hint: 'Something other than this program has changed their rows.' },
    counts: { name: 'Months counted too low', hint: 'These accounts can upload more than their plan includes.' },
    photos: { name: 'Photos that wait too long', hint: 'They were accepted, and guests don’t see them yet.' },
    'jobs-failed': { name: 'Jobs without attempts left', hint: 'The log says why they failed.' },
    'jobs-waiting': { name: 'Jobs that don’t run', hint: 'No program runs them, or the programs can’t keep up.' },
    deletions: {
      name: 'Deletions that are late',
      hint: 'Somebody deleted these photos, and their files are still stored.',
    },
    emails: { name: 'Emails that wait', hint: 'The mail server doesn’t take them, or no program sends them.' },
    payments: {
      name: 'Payments that aren’t finished',
      hint: 'News of the payment provider, refunds or endings wait.',
    },
    plans: { name: 'Plans that differ from payments', hint: 'These accounts have more or less than they pay for.' },
    webhooks: { name: 'Webhook deliveries that are late', hint: 'Customers’ programs aren’t told of their photos.' },
    expired: { name: 'Data whose time is over', hint: 'The job that deletes it has not done so.' },
  },
}
