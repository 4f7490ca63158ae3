import { Array, Boolean, Integer, Literal, Null, Object, Optional, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

const Nullable = <T extends Parameters<typeof Union>[0][number]>(schema: T) => Union([schema, Null()])
const ById = Object({ id: String({ maxLength: 128 }) })
const Page = Object(
  {
    limit: Optional(Integer({ minimum: 1, maximum: limits.requestsMax })),
    before: Optional(String({ maxLength: 128 })),
  },
  { additionalProperties: false },
)
// Lengths and forms are judged by emails.ts, which has the sentences; this only keeps absurd input away from it.
const Text = String({ maxLength: 1024, pattern: '^[^\\0]*$' })

/** What strangers may know of a photo: product.md section 4. */
export const PublicPhoto = Object({
  id: String(),
  /** The neutral name of a download; never the owner's. */
  filename: String(),
  thumbnail_url: Nullable(String()),
  width: Nullable(Integer()),
  height: Nullable(Integer()),
  thumbhash: Nullable(String()),
  ask_email_to_receive_photo: Boolean(),
  processing: Boolean(),
  processing_complete: Boolean(),
  processing_failed: Boolean(),
  created_at: String(),
})
export type PublicPhoto = Static<typeof PublicPhoto>

/** What a guest agrees to by asking, shown beside the field; its version is stored with the request. */
export const requestConsent = {
  version: '2026-11',
  sentence: 'We use your address to send this photo, nothing else.',
} as const

/** What the answer to every accepted request says; spec section 8. */
export const requestAccepted = 'Email request submitted successfully! Please check your inbox.'

/** What becomes of a request's letter. `waiting`: held back by a limit, goes by itself later. */
export type RequestState = 'queued' | 'sent' | 'failed' | 'waiting'

/** A request as the photo's owner sees it: spec section 3, with the state of its letter. */
export const PhotoRequest = Object({
  id: String(),
  requester_email: String(),
  requested_at: String(),
  photo: Object({ id: String(), filename: String(), thumbnail_url: Nullable(String()) }),
  state: Union([Literal('queued'), Literal('sent'), Literal('failed'), Literal('waiting')]),
  /** When a waiting letter goes, or a queued one is tried again; null when nothing is planned. */
  due_at: Nullable(String()),
  sent_at: Nullable(String()),
  /** Why it failed or is still being tried, as a sentence for the owner. */
  failure: Nullable(String()),
})
export type PhotoRequest = Static<typeof PhotoRequest>

export const publicPhoto = endpoint({
  method: 'GET',
  path: '/photos/:id/public',
  access: 'public',
  summary: 'What a guest may know of a photo before asking for it.',
  params: ById,
  reply: PublicPhoto,
})
export const requestPhoto = endpoint({
  method: 'POST',
  path: '/photos/:id/request-email',
  access: 'public',
  summary: 'Ask for a photo by e-mail. The answer is the same for every address.',
  params: ById,
  // `website` is a field that people do not see; who fills it in is a program.
  body: Object({ email: Text, website: Optional(Text) }, { additionalProperties: false }),
  reply: Object({ detail: String() }),
})
/** The page that the e-mail code leads to; `from=code` marks those who scanned the direct code. */
export const requestPage = endpoint({
  method: 'GET',
  path: '/request-photo/:id',
  access: 'public',
  summary: 'The page on which a guest asks for a photo.',
  params: ById,
  reply: 'bytes',
})
/** The same page's form, for browsers without JavaScript. */
export const requestPageForm = endpoint({
  method: 'POST',
  path: '/request-photo/:id',
  access: 'public',
  summary: "The request page's form, without JavaScript.",
  params: ById,
  form: true,
  body: Object({ email: Optional(Text), website: Optional(Text) }),
  reply: 'bytes',
})

const ByGrant = Object({ grant: String({ maxLength: 128 }) })
/** The link of a letter: one photo, 72 hours, no use count. */
export const grantPage = endpoint({
  method: 'GET',
  path: '/g/:grant',
  access: 'public',
  summary: 'The page that a letter leads to, with the photo and one button.',
  params: ByGrant,
  reply: 'bytes',
})
export const grantDownload = endpoint({
  method: 'GET',
  path: '/g/:grant/download',
  access: 'public',
  summary: 'The photo of a letter, as a download.',
  params: ByGrant,
  query: Object({ inline: Optional(String({ maxLength: 8 })) }),
  reply: 'bytes',
})

const BySecret = Object({ secret: String({ maxLength: 128 }) })
/** The link in a letter's small print. Looking changes nothing: programs that follow links do no harm. */
export const stopPage = endpoint({
  method: 'GET',
  path: '/stop/:secret',
  access: 'public',
  summary: 'The page on which whoever got a letter with a photo stops such letters.',
  params: BySecret,
  reply: 'bytes',
})
/** The page's button, and what mail programs send for their own (RFC 8058), in whatever form. */
export const stopPhotos = endpoint({
  method: 'POST',
  path: '/stop/:secret',
  access: 'public',
  summary: 'Send no more photos to the address that this link was sent to.',
  params: BySecret,
  unread: true,
  reply: 'bytes',
})
export const allowPhotos = endpoint({
  method: 'POST',
  path: '/stop/:secret/undo',
  access: 'public',
  summary: 'Send photos to that address again.',
  params: BySecret,
  unread: true,
  reply: 'bytes',
})
/** For who reloads the page that the button led to. */
export const allowPage = endpoint({
  method: 'GET',
  path: '/stop/:secret/undo',
  access: 'public',
  summary: 'The same page as without its last part.',
  params: BySecret,
  reply: 'bytes',
})
/** Such as a link with something behind it that a mail program took for a part of it. */
export const stopUnknown = endpoint({
  method: 'GET',
  path: '/stop/*',
  access: 'public',
  summary: 'The page for a link that cannot be one of ours.',
  reply: 'bytes',
})

export const listPhotoRequests = endpoint({
  method: 'GET',
  path: '/user/photo-requests',
  access: 'user',
  summary: 'Requests for your photos, newest first. More exist when the answer carries x-next-before.',
  query: Page,
  reply: Object({ requests: Array(PhotoRequest), total: Integer(), sent: Integer(), failed: Integer() }),
})
export const exportPhotoRequests = endpoint({
  method: 'GET',
  path: '/user/photo-requests/export',
  access: 'user',
  summary: 'Requests for your photos as a CSV file.',
  reply: 'bytes',
})
export const resendPhotoRequest = endpoint({
  method: 'POST',
  path: '/user/photo-requests/:id/resend',
  access: 'user',
  summary: 'Send a failed letter again.',
  params: ById,
  reply: PhotoRequest,
})
