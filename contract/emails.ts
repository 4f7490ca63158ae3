import type { LogoGround } from './accounts.ts'
import type { ReportReason } from './guests.ts'
import type { Language } from './languages.ts'

/**
 * An email to a guest, a user or an operator. Its sentences are in `web/messages`; `web/guest/email-content.ts` fills them with
 * these values, and the templates escape them.
 */
export type Email =
  | PhotoEmail
  | PhotosEmail
  | EventArchiveEmail
  | GalleryOpenEmail
  | LinkEmail
  | NoticeEmail
  | ReportEmail
  | RequestRemovalEmail
  | GuestPhotosEmail
  | PlanEmail
  | UsageEmail
  | RemovalEmail
  | RemovedEmail
  | WebhookEmail
  | OperatorDecisionEmail
  | DisputeEmail
  | SupportMessageEmail
  | SupportReceivedEmail
  | WithdrawalEmail
  | EventGrantEmail

/** The kinds of email. */
export type EmailKind = Email['kind']

/** What every email needs besides its own props. */
export interface EmailContext {
  /** Of its reader. */
  language: Language
  publicUrl: string
  /** Who runs this installation: name, postal address and email address, shown at the end. */
  operator: { name: string; address: string; email: string }
  /** IANA time zone of the email's times; the server's without one. */
  timeZone?: string | null
}
/** An email as the mail port sends it. */
export interface RenderedEmail {
  /** Without line breaks. */
  subject: string
  /** The name of the sender; the operator's setting without one. */
  senderName?: string
  html: string
  text: string
}

/** An email with a photo that a guest requested. */
export interface PhotoEmail {
  kind: 'photo'
  /** The owner's logo, attached under `cid`, for plans with custom branding; sizes in pixels. */
  logo: EmailLogo | null
  /** Who it is from: the owner's brand name; null without one. */
  brandName: string | null
  /** The thumbnail, attached under `cid`; sizes in pixels. Null if it is not in the store. */
  thumbnail: { cid: string; width: number; height: number } | null
  /** URL of the page with the photo. */
  url: string
  /** The neutral download name. */
  filename: string
  /** Until when `url` works, ISO 8601 in UTC. */
  expiresAt: string
  /** Whether the photo is also attached. */
  attached: boolean
  /** URL of the unsubscribe page. */
  stopUrl: string
}
/** An email with several photos that a guest requested together. */
export interface PhotosEmail extends Pick<PhotoEmail, 'logo' | 'brandName' | 'expiresAt' | 'stopUrl'> {
  kind: 'photos'
  /** The URL of the page of each, and its thumbnail as in an email with one. */
  photos: readonly Pick<PhotoEmail, 'url' | 'thumbnail'>[]
}
/** An email with a link to all photos of an event, for a guest who asked for it. */
export interface EventArchiveEmail extends Pick<PhotoEmail, 'brandName' | 'url' | 'expiresAt' | 'stopUrl'> {
  kind: 'event-archive'
  eventName: string
  /** What the file has now. */
  photos: number
  bytes: number
}
/** An email to a guest who wanted to be told that the gallery of an event is open. */
export interface GalleryOpenEmail extends Pick<PhotoEmail, 'brandName' | 'url' | 'stopUrl'> {
  kind: 'gallery-open'
  eventName: string
}
/** The owner's logo in an email, attached under `cid`; sizes in pixels. */
export interface EmailLogo {
  cid: string
  width: number
  height: number
  /** The same in both themes, because some mail programs change the colours of an email on their own. */
  ground: LogoGround
}
/** An email with one link. `verify` with `changed` confirms the new address of an existing account. */
export interface LinkEmail {
  kind: 'reset' | 'verify' | 'archive'
  url: string
  /** ISO 8601 in UTC. */
  expiresAt: string
  changed?: boolean
}
/** An email that informs about a change to an account, or that its owner sends to see whether emails arrive. */
export interface NoticeEmail {
  kind:
    | 'password-changed'
    | 'new-sign-in'
    | 'email-changed'
    | 'account-deleted'
    | 'api-key-created'
    | 'webhook-created'
    | 'event-grant-created'
    | 'helper-created'
    | 'test'
  /** When it happened, ISO 8601 in UTC. */
  at: string
  /** For `email-changed`: the new address, shortened in the middle. */
  newEmail?: string
  /** For `new-sign-in`: the names of the browser and the system, as far as they are known. */
  device?: string
  /** `api-key-created`: the name of the key; `webhook-created`: the host that events are sent to; `event-grant-created`: the address that got the link; `helper-created`: the helper's name. */
  name?: string
}
/** An email to an owner whose photos were reported. It shows no photo and nothing that a guest wrote. */
export interface ReportEmail {
  kind: 'report' | 'report-digest'
  /** URL of the page with the reports. Opening it changes nothing. */
  url: string
  /** The number of photos. */
  photos: number
  /** With one photo: its file name, and why it was reported. */
  photo: { filename: string; reasons: readonly ReportReason[] } | null
}
/** An email to the owner of an event: photos of guests wait for their review, or no more of them fit. */
export interface GuestPhotosEmail {
  kind: 'review-waiting' | 'guests-full'
  /** The name of the event. */
  event: string
  /** That wait now. */
  photos: number
  /** URL of the page where they are reviewed. */
  url: string
  /** URL of the page of the event, where these emails can be switched off. */
  settingsUrl: string
}
/** An email to an owner about addresses of guests that will be removed. */
export interface RequestRemovalEmail {
  kind: 'request-removal'
  /** Addresses that will be removed within `limits.requestRemovalDays`. */
  addresses: number
  /** When the first of them will be, ISO 8601 in UTC. */
  firstAt: string
  /** URL of the page with the requests. */
  url: string
  /** URL of the settings, where such emails are switched off. */
  settingsUrl: string
}
/** An email about the plan that a user pays for. */
export interface PlanEmail {
  kind:
    | 'plan-started'
    | 'payment-failed'
    | 'first-payment-failed'
    | 'plan-changed'
    | 'plan-cancelled'
    | 'plan-resumed'
    | 'plan-ended'
    | 'payment-refunded'
  /** The plan that it is about, and its price. */
  planName: string
  priceCents: number
  interval: 'month' | 'year'
  /**
   * ISO 8601 in UTC. `plan-started`, `plan-changed`, `plan-resumed`: the next payment. `payment-failed`, `plan-cancelled`:
   * until when the plan goes on. Null for the others.
   */
  at: string | null
  /** For `plan-started` and `plan-changed`: a complimentary plan that includes more and counts instead; null without one. */
  coveredBy: string | null
  /** For `payment-refunded`: what was refunded. */
  amountCents: number | null
  /** URL of the page where the user can do something about it. */
  url: string
  /** Whether payments are a demonstration: no money moves. */
  isDemo: boolean
}
/** An email to an owner who has used most or all of what the plan includes. */
export interface UsageEmail {
  kind: 'usage'
  /** What is used: `used` and `limit` are photos or bytes. */
  subject: 'photos' | 'storage'
  used: number
  limit: number
  /** Whether no further photo is accepted. */
  isFull: boolean
  planName: string
  /** Whether no larger plan is sold. */
  isLargestPlan: boolean
  /** When the count of photos starts again, ISO 8601 in UTC; null for storage. */
  monthEndsAt: string | null
}
/** An email to an owner whose larger plan has ended: photos that do not fit any more will be removed. */
export interface RemovalEmail {
  kind: 'removal'
  /** What would be removed now, the oldest photos. */
  photos: number
  bytes: number
  storedBytes: number
  planName: string
  planBytes: number
  /** ISO 8601 in UTC. */
  removeAt: string
  /** The link of an archive of the account; null when there is none. `expiresAt` in ISO 8601 in UTC. */
  archive: { url: string; expiresAt: string } | null
}
/** An email to an owner whose photos were removed. */
export interface RemovedEmail {
  kind: 'removed'
  photos: number
  bytes: number
  planName: string
  planBytes: number
  /** Until when they can be put back, ISO 8601 in UTC. */
  restorableUntil: string
}
/** An email to an owner whose webhook was switched off, because its receiver did not accept anything for a day. */
export interface WebhookEmail {
  kind: 'webhook-disabled'
  /** Of the receiver: the rest of its URL may contain a secret. */
  host: string
  /** Since when nothing was accepted, ISO 8601 in UTC. */
  failingSince: string
  /** URL of the settings. */
  url: string
}
/** An email to the owner of a photo that an operator hid from guests, or shows again. */
export interface OperatorDecisionEmail {
  kind: 'photo-hidden' | 'photo-shown'
  filename: string
  /** When it was decided, ISO 8601 in UTC. */
  at: string
  /** What the operator wrote to the owner; may have several lines. Null: nothing. */
  message: string | null
  /** For `photo-shown`: whether guests cannot open it all the same, because its owner had hidden it. */
  stillHidden: boolean
  /** `photo-hidden`: URL of the contact form. `photo-shown`: of the photo in the gallery. */
  url: string
}
/** An email to an operator about a payment that its holder disputes at the bank. */
export interface DisputeEmail {
  kind: 'payment-disputed'
  /** Email address of the account that it paid for. */
  account: string
  amountCents: number
  /** The payment provider's word for why, such as `product_not_received`. */
  reason: string
  /** When it was disputed, ISO 8601 in UTC. */
  at: string
  /** Until when the payment provider takes evidence; null when it wants none. */
  respondBy: string | null
  /** URL of the account on /admin. */
  url: string
}
/** A message to support, for those who answer it. They read English. */
export interface SupportMessageEmail {
  kind: 'support-message'
  name: string
  /** The address that was typed. */
  address: string
  subject: string
  /** May have several lines. */
  message: string
  /** Whether the plan of the sender has priority support. */
  priority: boolean
  /** Whether the honeypot was filled in. */
  suspected: boolean
  /** URL of the inbox. */
  url: string
}
/** The confirmation that a message to support has arrived. It has no text of the sender: anyone can type any address. */
export interface SupportReceivedEmail {
  kind: 'support-received'
  /** When it arrived, ISO 8601 in UTC. */
  at: string
}
/** An email to whom the owner of an event gives all of its photos. */
export interface EventGrantEmail {
  kind: 'event-grant'
  eventName: string
  /** Who it is from: the owner's brand name; null without one. */
  brandName: string | null
  /** How many photos there are now. */
  photos: number
  /** URL of the page with the photos. */
  url: string
  /** Until when `url` works, ISO 8601 in UTC. */
  expiresAt: string
  /** URL of the unsubscribe page. */
  stopUrl: string
}
/** The receipt of a withdrawal from a contract. It repeats what the person wrote, as the law wants. Times are ISO 8601 in UTC. */
export interface WithdrawalEmail {
  kind: 'withdrawal-received'
  name: string
  /** The address that was typed. */
  address: string
  contract: string
  /** When it was made. */
  at: string
  /**
   * `accepted`: made by a signed-in account, or completed since; the plan ends and the money goes back. `link`: the button at `url` completes it.
   * `unmatched`: no contract has this address. `late`: the 14 days were over at `until`. `closed`: an operator has closed it. `looking`: the contract could
   * not be looked for yet; another email follows.
   */
  found: 'accepted' | 'link' | 'unmatched' | 'late' | 'closed' | 'looking'
  /** The contract that was found; null without one. */
  planName: string | null
  concludedAt: string | null
  until: string | null
  /** Until when the operator completes it, if the link is not used. */
  decideBy: string
  /** `link`: the page with the button. `late`: the settings. Otherwise the support page. */
  url: string
  /** Whether payments are a demonstration: no money moves. */
  isDemo: boolean
}
