/** Numbers of spec section 9 and product.md, read by both sides. Units end the names. */

/** Calls a minute that one client (or key) may make; spec section 9, product.md section 4. */
export const rates = {
  auth: { perMinute: 10 },
  photos: { perMinute: 100 },
  admin: { perMinute: 50 },
  uploads: { perMinute: 60 },
  unknownCodes: { perMinute: 60 },
  reports: { perMinute: 10 },
  exports: { perMinute: 3 },
  /** Counted by mailbox: mail programs of many people press their button from one address. */
  stops: { perMinute: 20 },
} as const
/** Names of the rates above. */
export type RateName = keyof typeof rates

/** The hint of the upload page, spec section 2; the real limit is the plan's. */
export const uploadHint = 'JPG, PNG, GIF up to 10MB'

/** Lengths, sizes, lifetimes and intervals that both sides go by. */
export const limits = {
  emailChars: 254,
  passwordChars: 128,
  filenameBytes: 255,
  idempotencyKeyChars: 128,
  idempotencyHours: 24,
  uploadsAtOncePerUser: 3,
  listDefault: 1000,
  listMax: 1000,
  jsonBodyBytes: 64 * 1024,
  urlChars: 8 * 1024,
  sessionIdleDays: 30,
  sessionMaxDays: 90,
  failedOriginalDays: 7,
  uploadStatusPollMs: 2_000,
  latestPollMs: 60_000,
  messageMs: 3_000,
  copyTickMs: 2_000,
  requestsMax: 500,
  reportNoteChars: 500,
  grantHours: 72,
  /** How long addresses of guests are kept. */
  requestDays: 90,
} as const

/** Letters to guests: product.md section 6, promises.md T29 and P5. */
export const letterLimits = {
  /** The same address asking for the same photo again within this time gets the same answer and no second letter. */
  repeatMinutes: 10,
  perAddressHour: 3,
  perAddressDay: 10,
  perPhotoDay: 1_000,
  perOwnerDay: 5_000,
  /** One client may be a whole venue; but it must leave room for others. */
  perClientPhotoDay: 500,
  perClientOwnerDay: 2_000,
  /** Every answer to a guest who asks takes at least this long: how much was to be done for an address stays untold. */
  leastAskMs: 150,
  /** A letter that would wait longer than this for its turn is not accepted. */
  waitHours: 48,
  giveUpHours: 48,
  attachBytes: 8 * 1024 * 1024,
  logoBytes: 512 * 1024,
} as const

/** Links of letters to users, and archives: product.md section 8, promises.md T17, T29 and P8. */
export const accountLimits = {
  resetMinutes: 30,
  verifyHours: 7 * 24,
  /** Letters of one kind that carry such a link, to one address. */
  linksPerHour: 3,
  linksPerDay: 10,
  /** Letters to guests that go in a day before the account's address is confirmed, where letters leave by SMTP. */
  unverifiedPerDay: 20,
  sessionsMax: 200,
  exportDays: 7,
  /** How long the receipt of a deleted account is known after it was sent. */
  receiptHours: 20,
} as const

/** Logos and backgrounds. */
export const brandLimits = { fileBytes: 10 * 1024 * 1024 } as const

/** The live channel: spec section 9, product.md section 7, promises.md T08. */
export const liveLimits = {
  reconnectAttempts: 5,
  reconnectFirstMs: 1_000,
  reconnectMaxMs: 30_000,
  /** The spec's provider context reconnects once more this long after an abnormal close. */
  reconnectAfterAbnormalMs: 5_000,
  keepAliveCheckMs: 30_000,
  pingAfterSilenceMs: 60_000,
  statusSyncMs: 10_000,
  ticketSeconds: 30,
  socketsPerUser: 50,
  frameBytes: 64 * 1024,
  messagesPerMinute: 100,
  bufferedBytes: 1024 * 1024,
} as const
