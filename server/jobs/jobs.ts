/** Every job there is, and its payload. Ids, keys or what was typed: handlers read the rows they need. */
export interface Jobs {
  /** Turns an accepted upload into its images. */
  'process-photo': { photoId: string }
  /** Removes the bytes of a deleted photo, and letters with it that are kept as files; then its row. */
  'delete-photo': { photoId: string }
  /** Puts a user's watermark on one more of their photos, or takes it off. */
  'mark-photo': { userId: string }
  /** Removes the bytes under a key that no row names any more. */
  'remove-object': { key: string }
  /** Removes the bytes of deleted accounts. */
  'remove-orphans': Record<string, never>
  /** Looks whether an address that somebody typed has an account, and writes the letter that resets its password. */
  'send-reset': { email: string }
  /** Puts everything that an account holds into one archive. */
  'build-archive': { archiveId: string }
  /** One attempt at a letter. */
  'send-letter': { letterId: string }
  /** Removes letters of deleted accounts that are kept as files. */
  'forget-letters': { letterIds: readonly string[] }
  /** Asks whether a mail server that was away is there again, for the letters that wait for it. */
  'wake-letters': Record<string, never>
  /** Cleans up what was left behind: expired uploads, orphaned bytes, old sessions and counters. */
  sweep: Record<string, never>
  /** Compares the store with the database and removes bytes that nobody knows. */
  'compare-storage': Record<string, never>
}
/** Names of the jobs. */
export type JobName = keyof Jobs

/** How a job is run: attempts before it is given up, and its place among others (lower first). */
export const jobRules: Record<JobName, { maxAttempts: number; priority: number }> = {
  'process-photo': { maxAttempts: 25, priority: 0 },
  'delete-photo': { maxAttempts: 25, priority: 50 },
  'mark-photo': { maxAttempts: 25, priority: 20 },
  'remove-object': { maxAttempts: 25, priority: 50 },
  'remove-orphans': { maxAttempts: 25, priority: 50 },
  'send-reset': { maxAttempts: 10, priority: 0 },
  'build-archive': { maxAttempts: 10, priority: 30 },
  'send-letter': { maxAttempts: 25, priority: 0 },
  'forget-letters': { maxAttempts: 25, priority: 50 },
  'wake-letters': { maxAttempts: 1, priority: 40 },
  sweep: { maxAttempts: 1, priority: 60 },
  'compare-storage': { maxAttempts: 1, priority: 70 },
}

/** Work on one job. It may run twice and must leave the same result: updates carry the state they expect. */
export type Handlers = { [Name in JobName]: (payload: Jobs[Name]) => Promise<void> }
