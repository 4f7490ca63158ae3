import { Array, Boolean, Integer, Null, Object, Optional, String, type Static } from 'typebox'
import { ById, endpoint, exact, nullable, oneOf, pathId, text } from './endpoint.ts'
import { limits } from './limits.ts'
import { LanguageTag } from './accounts.ts'
import { EventFilter } from './photos.ts'
import { sampleCodePath, samplePagePath } from './site.ts'

// Any text is accepted: an unknown code is a 404, not a validation error.
const ByPhotoCode = Object({ code: pathId })
const UrlSignature = Object({ s: Optional(String({ maxLength: 128 })) })

/** The target of the direct QR code: the full-size image as an attachment. */
export const directDownload = endpoint({
  method: 'GET',
  path: '/d/:code',
  access: 'public',
  summary: 'Download the photo of a direct QR code.',
  params: ByPhotoCode,
  /**
   * With `screen`, the image for screens, for the page that shows it. With `download`, the guest comes from that page; with `visit`,
   * its script has not counted the visit. Programs that draw previews of links get the page.
   */
  query: Object({
    download: Optional(String({ maxLength: 8 })),
    inline: Optional(String({ maxLength: 8 })),
    screen: Optional(String({ maxLength: 8 })),
    visit: Optional(String({ maxLength: 8 })),
  }),
  reply: 'bytes',
})
/**
 * Target of `b2_url`. `s` is a signature of the photo, the variant and the owner's media epoch. With `download`, an
 * attachment; with `inline`, from this origin, for pages that read the pixels.
 */
export const fullImage = endpoint({
  method: 'GET',
  path: '/media/:code',
  access: 'public',
  summary: 'Get the full-size image with a signed URL.',
  params: ByPhotoCode,
  query: Object({
    s: Optional(String({ maxLength: 128 })),
    download: Optional(String({ maxLength: 8 })),
    inline: Optional(String({ maxLength: 8 })),
  }),
  reply: 'bytes',
})
/** Target of `screen_url`; the code and the signature are those of the full-size image that it is made from, when first asked for. */
export const screenImage = endpoint({
  method: 'GET',
  path: '/screen/:code',
  access: 'public',
  summary: 'Get the image for screens with a signed URL.',
  params: ByPhotoCode,
  query: UrlSignature,
  reply: 'bytes',
})
/** Target of `thumbnail_url`: public and unguessable. `s` gives the owner access while the photo is hidden. */
export const thumbnailImage = endpoint({
  method: 'GET',
  path: '/t/:code',
  access: 'public',
  summary: 'Get a thumbnail.',
  params: ByPhotoCode,
  query: UrlSignature,
  reply: 'bytes',
})
/** Target of `qr_code_url`. With `.svg` appended to the code, the image is an SVG. */
export const directCode = endpoint({
  method: 'GET',
  path: '/qr/d/:code',
  access: 'public',
  summary: 'Get the QR code for the direct download as PNG or SVG.',
  params: ByPhotoCode,
  reply: 'bytes',
})
/** Target of `email_qr_code_url`; the code is the photo's id. With `.svg` appended, the image is an SVG. */
export const requestCode = endpoint({
  method: 'GET',
  path: '/qr/r/:code',
  access: 'public',
  summary: 'Get the QR code for the request page as PNG or SVG.',
  params: ByPhotoCode,
  reply: 'bytes',
})
const BySampleName = Object({ name: pathId })

/** The target of a sample picture's QR code: the page of a guest, with that picture. */
export const samplePage = endpoint({
  method: 'GET',
  path: samplePagePath(':name'),
  access: 'public',
  summary: 'Open the page of a sample picture.',
  params: BySampleName,
  reply: 'bytes',
})
/** The QR code that leads to `samplePage`. With `.svg` appended to the name, the image is an SVG. */
export const sampleCode = endpoint({
  method: 'GET',
  path: sampleCodePath(':name'),
  access: 'public',
  summary: 'Get the QR code of a sample picture as PNG or SVG.',
  params: BySampleName,
  reply: 'bytes',
})

/** What became of a request's email. */
const RequestState = oneOf('queued', 'sent', 'failed', 'waiting')
export type RequestState = Static<typeof RequestState>
const RequestListQuery = exact({
  limit: Optional(Integer({ minimum: 1, maximum: limits.requestsMax })),
  before: Optional(String({ maxLength: 128 })),
  /** Only requests whose address contains it, whatever its case. */
  email: Optional(text(limits.emailChars, 1)),
  state: Optional(RequestState),
  event: Optional(EventFilter),
})
// form-rules.ts checks it and has the messages. This limit only keeps huge input away from it.
const EmailText = text(1024)

/** What anyone with the id may know about a photo. */
export const PublicPhoto = Object({
  id: String(),
  /** The neutral download name, never the owner's file name. */
  filename: String(),
  thumbnail_url: nullable(String()),
  width: nullable(Integer()),
  height: nullable(Integer()),
  thumbhash: nullable(String()),
  ask_email_to_receive_photo: Boolean(),
  processing: Boolean(),
  processing_complete: Boolean(),
  processing_failed: Boolean(),
  created_at: String(),
})
export type PublicPhoto = Static<typeof PublicPhoto>

/** The consent sentence beside the email field. The request stores its version: a new sentence needs a new version. */
export const requestConsent = {
  version: '2026-11',
  sentence: 'We use your address to send this photo, nothing else.',
} as const

/** The answer to every accepted request. */
export const requestAccepted = 'Email request submitted successfully! Please check your inbox.'

/** A request as the photo's owner sees it. Times are ISO 8601 in UTC. */
export const PhotoRequest = Object({
  id: String(),
  requester_email: String(),
  requested_at: String(),
  photo: Object({ id: String(), filename: String(), thumbnail_url: nullable(String()) }),
  /**
   * `sent`: the mail server has accepted the email; bounces that come later are not read. `waiting`: delayed by a limit, and
   * sent later automatically.
   */
  state: RequestState,
  /** When a waiting email will be sent or a queued one retried; null if neither. */
  due_at: nullable(String()),
  sent_at: nullable(String()),
  /** Why the email failed or is being retried, as a sentence for the owner. */
  failure: nullable(String()),
})
export type PhotoRequest = Static<typeof PhotoRequest>

export const publicPhoto = endpoint({
  method: 'GET',
  path: '/photos/:id/public',
  access: 'public',
  summary: 'Get the public details of a photo.',
  params: ById,
  reply: PublicPhoto,
})
/**
 * Counts that a guest has opened the page of a code or of an email (`grant`). The script of the page calls it, so that programs which
 * only read the page are not counted.
 */
export const countVisit = endpoint({
  method: 'POST',
  path: '/photos/:id/visits',
  access: 'public',
  summary: 'Count that a guest has opened the page of a photo.',
  params: ById,
  query: exact({ by: oneOf('code', 'grant') }),
  ignoreBody: true,
  status: 204,
  reply: Null(),
})
export const requestPhoto = endpoint({
  method: 'POST',
  path: '/photos/:id/request-email',
  access: 'public',
  summary: 'Request a photo by email. The answer is the same for every address.',
  params: ById,
  // `website` is a honeypot: people do not see the field, so only bots fill it in.
  // `language` is that of the page, and of the email; without it, the one that the request's headers prefer.
  // `tell_me`: also one email when the gallery of its event opens, if that is later.
  body: exact({
    email: EmailText,
    website: Optional(EmailText),
    language: Optional(LanguageTag),
    tell_me: Optional(Boolean()),
  }),
  reply: Object({ detail: String() }),
})
/** The target of the email QR code. `from=code` marks guests who scanned the direct code. */
export const requestPage = endpoint({
  method: 'GET',
  path: '/request-photo/:id',
  access: 'public',
  summary: 'The page on which a guest requests a photo.',
  params: ById,
  reply: 'bytes',
})
/** The form of that page, for browsers without JavaScript; the reply is a page. */
export const requestPageForm = endpoint({
  method: 'POST',
  path: '/request-photo/:id',
  access: 'public',
  summary: 'Request a photo by email with a form.',
  params: ById,
  form: true,
  body: Object({
    email: Optional(EmailText),
    website: Optional(EmailText),
    language: Optional(EmailText),
    tell_me: Optional(EmailText),
  }),
  reply: 'bytes',
})

const ByPhotoGrant = Object({ grant: pathId })
/** The link in a photo email: one photo, for 72 hours, any number of times. */
export const grantPage = endpoint({
  method: 'GET',
  path: '/g/:grant',
  access: 'public',
  summary: 'The page with the photo that a photo email links to.',
  params: ByPhotoGrant,
  reply: 'bytes',
})
export const grantDownload = endpoint({
  method: 'GET',
  path: '/g/:grant/download',
  access: 'public',
  summary: 'Download the photo of a photo email.',
  params: ByPhotoGrant,
  /** With `screen`, the image for screens, for the page that shows it. With `visit`, the page's script has not counted the visit. */
  query: Object({
    inline: Optional(String({ maxLength: 8 })),
    screen: Optional(String({ maxLength: 8 })),
    visit: Optional(String({ maxLength: 8 })),
  }),
  reply: 'bytes',
})

const ByUnsubscribeSecret = Object({ secret: pathId })
/** The unsubscribe link of a photo email. GET changes nothing, because mail scanners open links. */
export const unsubscribePage = endpoint({
  method: 'GET',
  path: '/stop/:secret',
  access: 'public',
  summary: 'The page on which a recipient unsubscribes from photo emails.',
  params: ByUnsubscribeSecret,
  reply: 'bytes',
})
/** The button of that page, and one-click unsubscribe by mail programs (RFC 8058), with any body. */
export const unsubscribeRecipient = endpoint({
  method: 'POST',
  path: '/stop/:secret',
  access: 'public',
  summary: 'Unsubscribe the address that received this link.',
  params: ByUnsubscribeSecret,
  ignoreBody: true,
  reply: 'bytes',
})
export const resubscribeRecipient = endpoint({
  method: 'POST',
  path: '/stop/:secret/undo',
  access: 'public',
  summary: 'Allow photo emails to that address again.',
  params: ByUnsubscribeSecret,
  ignoreBody: true,
  reply: 'bytes',
})
/** For reloading the page that `resubscribeRecipient` answers with. */
export const resubscribePage = endpoint({
  method: 'GET',
  path: '/stop/:secret/undo',
  access: 'public',
  summary: 'The page on which a recipient unsubscribes from photo emails.',
  params: ByUnsubscribeSecret,
  reply: 'bytes',
})
/** For example a link to which a mail program appended the text that followed it. */
export const unknownUnsubscribeLink = endpoint({
  method: 'GET',
  path: '/stop/*',
  access: 'public',
  summary: 'The page for an invalid unsubscribe link.',
  reply: 'bytes',
})

/** The number of requests, and of those whose email was sent or failed. */
const requestCounts = { total: Integer(), sent: Integer(), failed: Integer() }
/** A page of requests, newest first. `total`, `sent` and `failed` count those that match `email` and `state`. */
export const listPhotoRequests = endpoint({
  method: 'GET',
  path: '/user/photo-requests',
  access: 'user',
  summary:
    'List requests for your photos, newest first. If there are more, x-next-before has the next value of before.',
  query: RequestListQuery,
  reply: Object({
    requests: Array(PhotoRequest),
    ...requestCounts,
    /** All requests, of the event that `event` names, also those that do not match. */
    all: Object(requestCounts),
    /**
     * The next day, in the account's time zone, on which requests will be `limits.requestDays` old and are removed: the time of the
     * first, and the number of email addresses. Null without requests, and on later pages.
     */
    next_removal: nullable(Object({ at: String(), addresses: Integer() })),
  }),
})
export const exportPhotoRequests = endpoint({
  method: 'GET',
  path: '/user/photo-requests/export',
  access: 'user',
  summary: 'Export requests for your photos as a CSV file, for spreadsheets in the language of your account.',
  query: Object({ event: Optional(EventFilter) }),
  reply: 'bytes',
})
export const resendPhotoRequest = endpoint({
  method: 'POST',
  path: '/user/photo-requests/:id/resend',
  access: 'user',
  summary: 'Resend a failed email.',
  params: ById,
  reply: PhotoRequest,
})
/**
 * Queues failed emails again, the oldest first, at most `limits.resendMax`. Limits of emails delay or refuse them as those of new
 * requests. When the call is cut, some are queued, and each of them once.
 */
export const resendFailedRequests = endpoint({
  method: 'POST',
  path: '/user/photo-requests/resend',
  access: 'user',
  summary: 'Resend all failed emails that can be sent.',
  reply: Object({
    /** Emails that are sent now. */
    queued: Integer(),
    /** Emails that a limit delays. */
    waiting: Integer(),
    /**
     * Emails that stay failed: the recipient has unsubscribed, the photo is hidden or could not be processed, or a limit is reached
     * for longer than two days.
     */
    refused: Integer(),
    /** Failed emails beyond the most of one call. */
    left: Integer(),
  }),
})

const ReportNote = text(limits.reportNoteChars)

/** Why a guest reports a photo. */
export const reportReasons = ['me', 'child', 'hurtful', 'illegal', 'other'] as const
/** One of `reportReasons`. */
export type ReportReason = (typeof reportReasons)[number]

/** A photo that guests reported, as its owner sees it. Times are ISO 8601 in UTC. */
export const PhotoReport = Object({
  photo: Object({ id: String(), filename: String(), thumbnail_url: nullable(String()) }),
  /** Whether guests are denied access until it is shown again. */
  hidden: Boolean(),
  /** Whether an operator has hidden it, so that its owner cannot show it. */
  hidden_by_operator: Boolean(),
  /** Whether a report still needs the owner's decision. */
  open: Boolean(),
  reports: Array(Object({ reason: oneOf(...reportReasons), note: nullable(String()), reported_at: String() })),
  /** The owner's last decision and its time; null if there is none. */
  decision: nullable(oneOf('hide', 'keep')),
  decided_at: nullable(String()),
})
export type PhotoReport = Static<typeof PhotoReport>

export const reportPhoto = endpoint({
  method: 'POST',
  path: '/photos/:id/report',
  access: 'public',
  rate: 'reports',
  summary: 'Report a photo to its owner.',
  params: ById,
  body: exact({ reason: oneOf(...reportReasons), note: Optional(ReportNote) }),
  reply: Object({ detail: String() }),
})
/** The same call as a form post, for browsers without JavaScript; the reply is a page. */
export const reportForm = endpoint({
  method: 'POST',
  path: '/report-photo/:id',
  access: 'public',
  rate: 'reports',
  summary: 'Report a photo to its owner with a form.',
  params: ById,
  form: true,
  body: Object({ reason: Optional(String({ maxLength: 64 })), note: Optional(ReportNote) }),
  reply: 'bytes',
})
export const listReports = endpoint({
  method: 'GET',
  path: '/user/reports',
  access: 'user',
  summary: 'List your photos that guests reported, newest report first.',
  query: Object({ event: Optional(EventFilter) }),
  reply: Object({ reports: Array(PhotoReport) }),
})
export const decideReport = endpoint({
  method: 'POST',
  path: '/photos/:id/decision',
  access: 'user',
  summary: 'Hide a photo from guests or keep it visible. Closes its reports.',
  params: ById,
  body: exact({ decision: oneOf('hide', 'keep') }),
  reply: PhotoReport,
})
/** Does nothing when that decision was taken back already or is not the last one. */
export const undoDecision = endpoint({
  method: 'DELETE',
  path: '/photos/:id/decision',
  access: 'user',
  summary: 'Take back a decision to hide a photo: it is shown again, and its reports are open as before.',
  params: ById,
  query: exact({
    /** Time of the decision, as in the photo's report. */
    decided_at: String({ maxLength: 24, pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
  }),
  reply: PhotoReport,
})

/** The last test email of the user. Times are ISO 8601 in UTC. */
export const TestEmail = Object({
  /** `sent`: the mail server has accepted it, or it is kept as a file. */
  state: oneOf('none', 'queued', 'sent', 'failed'),
  /** When it was asked for; null without one. */
  asked_at: nullable(String()),
  sent_at: nullable(String()),
  /** Why it waits or has failed, as a sentence; null when there is no reason. */
  reason: nullable(String()),
  /** `outbox`: no mail server is set up, and emails are kept as files. */
  mail: oneOf('smtp', 'outbox'),
})
export type TestEmail = Static<typeof TestEmail>

export const getTestEmail = endpoint({
  method: 'GET',
  path: '/user/test-email',
  access: 'user',
  summary: 'Get what became of your last test email.',
  reply: TestEmail,
})

export const sendTestEmail = endpoint({
  method: 'POST',
  path: '/user/test-email',
  access: 'user',
  rate: 'account',
  summary: 'Send a test email to your own address.',
  ignoreBody: true,
  reply: TestEmail,
})

/** A code that tells the owner's open pages when a device opens it. */
export const TestCode = Object({
  /** URL of the code as an SVG. */
  image_url: String(),
  expires_at: String(),
})
export type TestCode = Static<typeof TestCode>

export const createTestCode = endpoint({
  method: 'POST',
  path: '/user/test-code',
  access: 'user',
  rate: 'account',
  summary: 'Get a QR code to try with a phone; your open pages show when it was opened.',
  ignoreBody: true,
  status: 201,
  reply: TestCode,
})

const ByToken = Object({ token: pathId })

export const testCodeImage = endpoint({
  method: 'GET',
  path: '/qr/t/:token',
  access: 'public',
  summary: 'Get the picture of a test code as PNG or SVG.',
  params: ByToken,
  reply: 'bytes',
})

/** The target of a test code: it shows a sample picture. */
export const openTestCode = endpoint({
  method: 'GET',
  path: '/test-code/:token',
  access: 'public',
  summary: 'Open a test code; shows the page of a sample picture.',
  params: ByToken,
  reply: 'bytes',
})
