/** Calls that are allowed in any time of so many seconds. */
export interface RateWindow {
  calls: number
  seconds: number
}

/** A rate limit: the calls in any 60 seconds, or in another window. */
export type Rate = RateRules & ({ perMinute: number } | RateWindow)

interface RateRules {
  /**
   * What calls are counted by. `client`: an IPv4 address or an IPv6 /64 network. `user`: the calling account, otherwise
   * the client. `key`: the API key; calls with a session are not counted. `mailbox`: the handler counts them itself.
   */
  per: 'client' | 'user' | 'key' | 'mailbox'
  /** Of IPv6, wider networks are counted too, because one subscriber can have all of a /48: 4 times the calls for a /56, 10 times for a /48. */
  countsNetworks?: true
  /** Part of the public API: the error is the sentence of its documentation. Other limits say how long to wait. */
  isDocumented?: true
  /** Fail open for reads: while calls cannot be counted, those that only read are allowed; others are refused. */
  failsOpenForReads?: true
}

/** The calls that a rate allows, and in how many seconds. */
export const windowOf = (rate: Rate): RateWindow => ('calls' in rate ? rate : { calls: rate.perMinute, seconds: 60 })

/** All rate limits. */
export const rates = {
  /** Sign-in, registration and both calls of a password reset. A browser that has signed in before has a count of its own. */
  auth: { perMinute: 10, per: 'client', countsNetworks: true, isDocumented: true },
  /** Sign-ins to one account with all browsers that have signed in to it before. */
  knownBrowsers: { perMinute: 30, per: 'user' },
  /** Changes of the account itself, per user; the confirmation of an address, per client. */
  account: { perMinute: 10, per: 'user' },
  /** Checks of reset links: a separate limit, so that opening a link does not use up a sign-in attempt. */
  linkChecks: { perMinute: 30, per: 'client' },
  /** Calls about a subscription, per user: each asks the payment provider. */
  billing: { perMinute: 30, per: 'user' },
  /** Calls of the customer API. */
  photos: { perMinute: 100, per: 'key', isDocumented: true, failsOpenForReads: true },
  /** Calls of the admin API. */
  admin: { perMinute: 50, per: 'key', isDocumented: true },
  /** Calls of the page for operators: it asks for several lists at a time. */
  operator: { perMinute: 300, per: 'user', failsOpenForReads: true },
  /** Changes of API keys and webhooks. */
  integrations: { perMinute: 30, per: 'user' },
  /** API keys that do not exist. A good key is never refused because of them. */
  unknownKeys: { perMinute: 60, per: 'client', isDocumented: true },
  /** Of photos, by key too. */
  uploads: { calls: 600, seconds: 600, per: 'user', isDocumented: true },
  /** Uploads of logos and backgrounds: none is refused because many photos were uploaded. */
  brandImages: { perMinute: 60, per: 'user', isDocumented: true },
  /** Previews of the watermark: trying its settings does not count as uploading. */
  previews: { perMinute: 60, per: 'user' },
  unknownCodes: { perMinute: 60, per: 'client' },
  reports: { perMinute: 10, per: 'client', countsNetworks: true },
  support: { perMinute: 5, per: 'client', countsNetworks: true },
  /** Withdrawals from contracts, with both steps of the form. */
  withdrawals: { perMinute: 10, per: 'client', countsNetworks: true },
  exports: { perMinute: 3, per: 'user' },
  /** Links to ZIP files of photos. */
  archives: { perMinute: 20, per: 'user' },
  /** Per mailbox, because many people's unsubscribe clicks can come from one IP address of their mail provider. */
  stops: { perMinute: 20, per: 'mailbox' },
  /** Changes of events, and of what belongs to them. */
  events: { perMinute: 120, per: 'user' },
  /** Changes by helpers, all of one network. */
  helpers: { perMinute: 240, per: 'client' },
  /** Photos of one contributor; the handler counts them. */
  ownPhotos: { perMinute: 30, per: 'client' },
  /** Requests of several photos, of all photos of an event, and to be told when its gallery opens. A client can be a whole venue. */
  photoSets: { perMinute: 100, per: 'client' },
  /** Of an event and a client, which can be a whole venue: joining, and photos; the handler counts them. */
  guestAdds: { calls: 3000, seconds: 3600, per: 'client' },
  /** Of an event and a network, which can be a whole venue: to be told when its gallery opens; the handler counts them, under a pseudonym. */
  notices: { calls: 500, seconds: 86_400, per: 'client' },
} as const satisfies Record<string, Rate>
/** Names of the rate limits. */
export type RateName = keyof typeof rates

/** The hint on the upload page; the limit that applies is the plan's. */
export const uploadHint = 'JPG, PNG, GIF up to 10MB'

/** The longest email address, in characters. Apart from `limits`: the script of guest pages contains what it imports. */
export const emailChars = 254

/** Limits that server and web app share; the unit ends each name. */
export const limits = {
  emailChars,
  passwordChars: 128,
  filenameBytes: 255,
  idempotencyKeyChars: 128,
  idempotencyHours: 24,
  /** Files that are chosen together, whose photos keep the chosen order. */
  selectionMax: 10_000,
  uploadsAtOncePerUser: 3,
  /** The longer side of the image of a photo for screens, in pixels. */
  screenSidePx: 2_048,
  /** Photos of one call that changes many. */
  bulkMax: 200,
  /** Photos of one ZIP file. */
  archiveMax: 2_000,
  archiveLinkMinutes: 10,
  /** Until this hour, a night belongs to the evening before. */
  eveningEndsHour: 6,
  /** Of lists that leave out the first entries. */
  skipMax: 1_000_000,
  listDefault: 1000,
  listMax: 1000,
  jsonBodyBytes: 64 * 1024,
  webhookBodyBytes: 512 * 1024,
  urlChars: 8 * 1024,
  sessionIdleDays: 30,
  sessionMaxDays: 90,
  failedOriginalDays: 7,
  uploadStatusPollMs: 2_000,
  latestPollMs: 60_000,
  /** How long big screens hold a photo at most. */
  holdMinutes: 10,
  /** The slideshow on Latest shows the photos of these last hours. */
  slideshowHours: 12,
  copyTickMs: 2_000,
  requestsMax: 500,
  /** Failed emails that one call sends again. */
  resendMax: 1_000,
  reportNoteChars: 500,
  grantHours: 72,
  /** How long requests, with the email addresses of guests, are kept. */
  requestDays: 90,
  /** An email tells of at least so many addresses that are removed within so many days, at most once in so many days. */
  requestRemovalAddresses: 20,
  requestRemovalDays: 14,
  requestRemovalEmailDays: 30,
} as const

/** Limits of emails to guests. */
export const emailLimits = {
  /** A repeated request for the same photo and address within this time sends no second email. */
  repeatMinutes: 10,
  perAddressHour: 3,
  perAddressDay: 10,
  perPhotoDay: 1_000,
  perOwnerDay: 5_000,
  /**
   * Generous, because a whole venue can share one IP address. Below what the limits above allow within `waitHours` (3,000 for
   * a photo), so that no client alone can use these up.
   */
  perClientPhotoDay: 2_500,
  perClientOwnerDay: 4_000,
  /** Every request is answered after at least this time, so that timing reveals nothing about the address. */
  minAnswerMs: 150,
  /** A request is rejected if its email would be delayed for longer than this. */
  waitHours: 48,
  giveUpHours: 48,
  attachBytes: 8 * 1024 * 1024,
  /** Of one attachment of an email that is kept as a file. */
  fileAttachBytes: 1_000_000,
  /** Emails with photos to guests that are kept as files may be removed after this time, if there is no room for new ones. */
  fileKeepDays: 7,
  logoBytes: 512 * 1024,
} as const

/** Links in emails to users, and data exports. */
export const accountLimits = {
  resetMinutes: 30,
  verifyHours: 7 * 24,
  /** Emails of one kind with such a link, per address. */
  linksPerHour: 3,
  linksPerDay: 10,
  /** Emails about sign-ins with new browsers, per account. */
  signInEmailsPerDay: 5,
  /** Emails to guests per day from an account without a confirmed address, if emails are sent by SMTP. */
  unverifiedEmailsPerDay: 20,
  sessionsMax: 200,
  /** How long a session need not give the password again to create an API key or a webhook. */
  passwordMinutes: 10,
  exportDays: 7,
  /** How long the email about a deleted account is kept after it was sent. */
  receiptHours: 20,
} as const

/** Limits of emails about reported photos to one owner. */
export const reportEmailLimits = {
  perPhotoHour: 1,
  /** What comes after them is in one digest, an hour after the first of them at the earliest. */
  perOwnerHour: 5,
  /** To an address that is not confirmed: it may belong to somebody else. */
  unverifiedEmailsPerDay: 5,
} as const

/** Times and limits of payments. Days are days of the billing clock. */
export const billingLimits = {
  /** How long a plan goes on while a payment is missing, and without news from the payment provider. */
  graceDays: 7,
  /** After the first payment, everything can be refunded on request. */
  refundDays: 30,
  /** A contract can be withdrawn from until the end of this day after the day on which it was concluded. */
  withdrawalDays: 14,
  /** Photos over the storage of the plan are kept for so long after a larger plan has ended. */
  keepDays: 30,
  /** Photos that were removed then can be put back for so long. */
  undoRemovalDays: 7,
  /** When owners are told by email that photos will be removed: days after the plan has ended. */
  keepEmailDays: [0, 20, 27],
  /** Of photos and storage; owners are told once at each. */
  usageWarningPercent: [80, 100],
  invoicesMax: 100,
  /** Of the euros for one unit of another currency, as operators enter them. */
  eurRateMin: 0.01,
  eurRateMax: 100,
} as const

/** Limits of customers' API keys. */
export const apiKeyLimits = {
  keysMax: 50,
  expiryDaysMax: 3650,
  /** Networks that a key was used from, whose hashes are stored to notice a new one; of admin keys too. */
  networksMax: 50,
} as const

/** Limits of calls with a customer's API key. */
export const customerApiLimits = {
  /** Photos of a page, and how many it has if the call does not say. */
  pageMax: 50,
  /** How long an upload waits at most for the end of processing. */
  waitSecondsMax: 30,
} as const

/** Limits of the admin API and of the page for operators. */
export const adminLimits = {
  pageDefault: 50,
  pageMax: 100,
  searchChars: 254,
  /** Of a link by which a photo is looked for. */
  linkChars: 1000,
  /** How long a link downloads an account's data for an operator. */
  exportLinkMinutes: 10,
  reasonChars: 500,
  /** Of the message to the owner of a photo. */
  messageChars: 500,
  /** How long an operator need not enter the password again. */
  confirmationMinutes: 10,
  keyNameChars: 60,
  /** Admin keys that are not revoked. */
  keysMax: 50,
  /** How long the audit log keeps actions of operators and commands. */
  auditActionDays: 365,
  /** How long it keeps calls with admin keys: there can be 72,000 a day of one key. */
  auditCallDays: 90,
} as const

/** Limits of logos and backgrounds. */
export const brandLimits = { fileBytes: 10 * 1024 * 1024 } as const

/** Limits of the live channel. */
export const liveLimits = {
  reconnectAttempts: 5,
  reconnectFirstMs: 1_000,
  reconnectMaxMs: 30_000,
  /** Delay of one more reconnection after an abnormal close. */
  reconnectAfterAbnormalMs: 5_000,
  keepAliveCheckMs: 30_000,
  pingAfterSilenceMs: 60_000,
  statusSyncMs: 10_000,
  /** How often the client asks again who is signed in, every `statusSyncMs`, after its session was revoked. */
  userChecks: 5,
  ticketSeconds: 30,
  socketsPerUser: 50,
  frameBytes: 64 * 1024,
  messagesPerMinute: 100,
  bufferedBytes: 1024 * 1024,
} as const

/** Limits of messages to support. */
export const supportLimits = {
  nameChars: 100,
  subjectChars: 150,
  messageChars: 5_000,
  /** The same message of the same sender within this time is stored once. */
  repeatMinutes: 10,
  perClientDay: 20,
  /**
   * Of all clients. Counted apart, here and below: messages of which the honeypot is filled in, of visitors, of accounts, and
   * of accounts with priority support.
   */
  perDay: 2_000,
  /** Of all clients: further messages are in the inbox alone, and further senders get no confirmation. */
  emailsPerHour: 100,
  confirmationsPerHour: 100,
  /** How long an answered message is kept after it was answered. */
  answeredDays: 180,
  /** How long other messages are kept: those that look like spam, and those that nobody has marked as answered. */
  suspectedDays: 30,
  openDays: 730,
} as const

/** Limits of withdrawals from contracts. */
export const withdrawalLimits = {
  nameChars: 100,
  contractChars: 500,
  /** The same withdrawal from the same address within this time is stored once. */
  repeatMinutes: 10,
  /** One more is refused with a sentence that says where to write. Those of sessions are counted by account, apart from all others. */
  perAddressDay: 10,
  perClientDay: 20,
  perDay: 2_000,
  /** How long the money may take, as the law has it. */
  decideDays: 14,
  /** How long the link of a receipt works. */
  linkDays: 365,
} as const

/** Limits of outgoing webhooks. */
export const webhookLimits = {
  webhooksMax: 10,
  urlChars: 2_048,
  /** Of one attempt, from the connection to the end of the answer. */
  timeoutMs: 10_000,
  /** Of the receiver's answer, which the log of deliveries keeps. */
  responseBytes: 1_024,
  /** How long a delivery is attempted again; then the webhook is switched off. */
  retryHours: 24,
  /** How long the previous secret signs too after it was replaced. */
  secretOverlapHours: 24,
  keepDays: 30,
  deliveriesPageDefault: 50,
  deliveriesPageMax: 100,
  /** Deliveries of one webhook that wait; of later events, the log says that they were not sent. */
  waitingMax: 10_000,
  /** Tests and replays of one account: their log is kept for 30 days. */
  ownDeliveriesPerDay: 1_000,
  attemptsShown: 20,
} as const

/**
 * How long personal data is kept, where the limits do not say it. The server deletes by these values, and the
 * Privacy Policy names them.
 */
export const retention = {
  /** Counters of rate limits, with the address of the client. */
  rateHitMinutes: 2,
  /** Counters of uploads, with the account. */
  uploadHitMinutes: 11,
  /** Counters of guests who add photos to an event, with the address of the client. */
  guestHitMinutes: 61,
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
  /** Withdrawals from contracts: longer than claims from them can be made. */
  withdrawalDays: 3 * 365,
  /** Reports for each photo and reason that nobody has decided about. */
  openReportsMax: 20,
  /** Invoices of businesses and credit notes, also of deleted accounts: the Belgian VAT Code asks for it since 2023. */
  invoiceYears: 10,
} as const
