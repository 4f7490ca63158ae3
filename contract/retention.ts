/**
 * How long personal data is kept, where contract/limits.ts does not say it. The server deletes by these values, and the
 * Privacy Policy names them.
 */
export const retention = {
  /** Counters of rate limits, with the address of the client. */
  rateHitMinutes: 2,
  /** Counters of uploads, with the account. */
  uploadHitMinutes: 11,
  /** Pseudonyms of clients that asked for photos by email or wrote to support; those of one day cannot be linked with those of another. */
  requestAttemptDays: 1,
  /** Counters of wrong passwords, with the email address that was typed. */
  passwordAttemptDays: 1,
  /** Addresses of clients that have signed in to an account, after they were last seen. */
  knownClientDays: 90,
  /** Hashes of links in emails, after the links have expired. */
  expiredLinkDays: 7,
  /** Rows of deleted photos, after their files were deleted. */
  deletedPhotoHours: 25,
  /** Events of the payment provider: longer than it lists them, so that none is processed twice. */
  paymentEventDays: 40,
  /** Processor time of slow files. */
  processingDays: 2,
  /** Addresses that a store gives out for one file. */
  presignedSeconds: 60,
  /** Browser and device of a session: characters of what the browser says about itself. */
  userAgentChars: 300,
  /** Ids of deleted accounts and photos, so that no backup brings them back: longer than backups are kept. */
  erasureDays: 400,
  /** Reports for each photo and reason that nobody has decided about. */
  openReportsMax: 20,
} as const
