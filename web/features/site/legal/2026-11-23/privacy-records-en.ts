import type { LegalContext } from '../legal-text.ts'
import type { DeviceKey, RecordId } from './inventory.ts'

const contract = 'To do what you signed up for (contract)'
const security = 'To keep accounts and the service safe (legitimate interest)'

/** What, why and on which legal basis, and how long. */
type Row = readonly [string, string, string]

const recordsOfOwners = ({ values: v }: LegalContext) =>
  ({
    account: [
      '**Your account**: email address and whether it is confirmed, username, brand name, time zone, settings, the day you registered, the version of the General Conditions that you accepted, and your password as a hash that cannot be turned back',
      contract,
      'Until you delete the account. Accounts that are not used are not deleted by themselves',
    ],
    consents: [
      '**Consents**: which emails with news and offers you allowed or refused, when, and the version of the sentence',
      'To prove your consent (legal obligation)',
      'Until you delete the account',
    ],
    sessions: [
      `**Your sign-ins**: a hash of the session’s token, what the browser says about itself (at most ${v.userAgentChars} characters), when it began and was last used`,
      'To keep you signed in and to show you your devices (contract)',
      `Until you sign out, ${v.sessionIdleDays} days without use, or ${v.sessionMaxDays} days in all`,
    ],
    photos: [
      '**Photos** with their thumbnails, file names, sizes, times of upload, codes, and whether they are hidden; of a photo that we hid, when, and what we wrote to you about it. Place, device and other hidden data are removed; only copyright and author stay',
      'To store, show and hand out photos for their owner (contract with the owner)',
      `Until the owner deletes them: they can be opened by nobody from then on, the files are removed at once by a job, and the last row ${v.deletedPhotoHours} hours later. The uploaded file itself goes as soon as the photo is ready, that of a failed photo after ${v.failedOriginalDays} days`,
    ],
    removals: [
      '**Removals**: which photos will be or were removed after a larger plan ended, and which emails told you',
      contract,
      `${v.keepDays} days until removal, and ${v.undoRemovalDays} days in which you can undo it`,
    ],
    branding: [
      '**Your logo and background**, and the progress of adding a watermark. Of a photo with a watermark, the picture without it is kept too; only you can get it',
      contract,
      'Until you delete them or the account',
    ],
    usage: [
      '**Your use**: how many photos you uploaded in each month, which warnings about limits you got, and the processor time of files that take long',
      'To apply the limits of your plan (contract)',
      `Until you delete the account; processor time for ${v.processingDays} days`,
    ],
    insights: [
      '**Counts**: how often a photo was scanned, viewed, downloaded and requested in each hour. Only numbers: nothing about who did it',
      'To show owners how their photos are used (legitimate interest)',
      'Until the photo is deleted',
    ],
  }) as const

const recordsOfGuests = ({ values: v }: LegalContext) =>
  ({
    requests: [
      '**Requests of guests**: the email address, the photo asked for, the time, the version of the sentence beside the field, and a hash of the link that was sent',
      'To send the photo that the guest asked for (consent)',
      `${v.requestDays} days, or until the photo is deleted. The link works for ${v.grantHours} hours; its hash goes ${v.expiredLinkDays} days later`,
    ],
    requestAttempts: [
      '**Pseudonyms**: one for the network from which somebody asked for a photo. It is new each day, and cannot be turned back into an IP address',
      'To stop floods of emails (legitimate interest)',
      `${v.requestAttemptDays} day`,
    ],
    blockedMailboxes: [
      '**Unsubscribed mailboxes**: that a mailbox wants no more photos: a hash from which the address cannot be read',
      'To respect your objection (legal obligation)',
      'Until you allow emails with photos again',
    ],
    reports: [
      `**Reports** about a photo: the reason, the time, and what you typed into the note (at most ${v.reportNoteChars} characters). Not who you are`,
      'To protect the people in photos (legitimate interest and legal obligation)',
      'Until the photo is deleted',
    ],
    support: [
      '**Messages to support**: name, email address, subject, message, your account if you are signed in, and a pseudonym as above against floods. They also go by email to those who answer',
      'To answer you (contract, legitimate interest)',
      `${v.supportAnsweredDays} days after the answer; ${v.supportOpenDays} days without one, ${v.supportSuspectedDays} days if it looks like spam; the pseudonym ${v.requestAttemptDays} day`,
    ],
    emails: [
      '**Emails** that we send: the address, the kind, times, whether it was sent, and why not',
      'To send them once, and to tell owners what became of a request (contract, legitimate interest)',
      `${v.requestDays} days; the one that confirms the end of an account ${v.receiptHours} hours`,
    ],
    links: [
      '**Links in emails**: hashes of links that set a new password or confirm an address, with that address',
      contract,
      `The links work for ${v.resetMinutes} minutes and ${v.verifyDays} days; their hashes go ${v.expiredLinkDays} days later`,
    ],
  }) as const

const recordsOfService = ({ values: v }: LegalContext) =>
  ({
    exports: [
      '**Data exports**: the file with all your data, once you asked for it or before photos are removed',
      'To give you your data (legal obligation)',
      `${v.exportDays} days`,
    ],
    integrations: [
      '**API keys** (name, hash, last four characters, last use), and **webhooks** with the address that you gave and a log of what was sent',
      contract,
      `Until you delete them; the log ${v.webhookLogDays} days`,
    ],
    billing: [
      '**Payments**: plan, periods, payments given back, and the number of your account at the payment provider. No card data: they never reach us',
      'To sell plans (contract) and to keep accounts (legal obligation)',
      `Until you delete the account and everything is settled; messages from the payment provider ${v.paymentEventDays} days. Invoices stay as long as Belgian tax law asks for`,
    ],
    knownClients: [
      '**IP addresses** (of IPv6 the first half) from which you signed in',
      security,
      `${v.knownClientDays} days after the last sign-in, or until you reset your password`,
    ],
    passwordAttempts: [
      '**Wrong passwords**: the email address that was typed, the number of attempts and, where you signed in before, the IP address',
      security,
      `${v.passwordAttemptDays} day after the last attempt`,
    ],
    rateLimits: [
      '**Counters**: how often an IP address, an account or a key called something that has a limit',
      security,
      `About ${v.rateHitMinutes} minutes`,
    ],
    audit: [
      '**Audit log**: what operators and programs with an admin key did or looked up, with the name of the account and the reason',
      'To be able to check who used such rights (legitimate interest)',
      `Actions ${v.auditActionDays} days, calls ${v.auditCallDays} days. After you delete your account, nothing in it names you`,
    ],
    log: [
      '**The program’s log**: errors and starts, with internal numbers of photos, emails and customers. Requests, IP addresses and links are not logged',
      'To find faults (legitimate interest)',
      'Until it is overwritten on our server',
    ],
    copies: [
      '**Backups**: copies of the whole database and of the files, if we make them against loss; and random internal numbers of deleted accounts and photos, with the time of the deletion',
      'To restore the service after a loss (legitimate interest)',
      `Until a newer copy replaces them; the numbers ${v.erasureDays} days. What you deleted is deleted again after a copy was restored: that is what the numbers are for`,
    ],
  }) as const

export const records = (context: LegalContext): Record<RecordId, Row> => ({
  ...recordsOfOwners(context),
  ...recordsOfGuests(context),
  ...recordsOfService(context),
})

/** What a browser stores, why, and until when. */
export const deviceStorage = ({ values: v }: LegalContext): Record<DeviceKey, readonly [string, string]> => ({
  token: ['Keeps you signed in', 'Until you sign out or your session ends'],
  theme: ['Light or dark, if you chose one', 'Until you choose System'],
  cookie_preferences: ['Your choice in the Cookie Notice', 'Until you clear it'],
  cookie_decision: ['When you made that choice, and for which analytics', 'Until you clear it'],
  'hidden-usage-warning': ['Which warning about a limit you closed', 'Until the next one'],
  'stage-prints': ['Whether Latest shows recent photos', 'Until you switch them on again'],
  'keepsnap-uploads': [
    'Photos you chose that your plan has no space for yet, so that they survive a reload',
    'Until they are uploaded or you remove them',
  ],
  language: ['The language you chose, if you chose one', `${v.languageDays} days`],
  places: ['How far you had scrolled, for the Back button', 'Until you close the tab'],
  'stage-full': ['Whether Latest fills the screen', 'Until you close the tab'],
  'stage-reloaded': ['When Latest last reloaded itself', 'Until you close the tab'],
  'report-later-*': [
    'Up to which report you chose Later; your account’s number follows the name',
    'Until you close the tab',
  ],
  'support-draft': ['A message to support that you have not sent yet', 'Until you send it or close the tab'],
})
