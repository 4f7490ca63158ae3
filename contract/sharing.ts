import { Object, Optional, String } from 'typebox'
import { endpoint } from './endpoint.ts'

/** Codes are compared with what was issued; anything else is simply unknown. */
const ByCode = Object({ code: String({ maxLength: 128 }) })
const Signed = Object({ s: Optional(String({ maxLength: 128 })) })

/** Where the direct code leads: the full-size image as an attachment, product.md section 6. */
export const directDownload = endpoint({
  method: 'GET',
  path: '/d/:code',
  access: 'public',
  summary: 'The photo behind a direct code, as a download.',
  params: ByCode,
  query: Object({ download: Optional(String({ maxLength: 8 })), inline: Optional(String({ maxLength: 8 })) }),
  reply: 'bytes',
})
/** Target of `b2_url`; `s` is the signature over photo, variant and the owner's media epoch. */
export const fullImage = endpoint({
  method: 'GET',
  path: '/media/:code',
  access: 'public',
  summary: 'The full-size image by its signed address.',
  params: ByCode,
  query: Signed,
  reply: 'bytes',
})
/** Target of `thumbnail_url`: public, unguessable. */
export const thumbnailImage = endpoint({
  method: 'GET',
  path: '/t/:code',
  access: 'public',
  summary: 'A thumbnail.',
  params: ByCode,
  query: Signed,
  reply: 'bytes',
})
/** Target of `qr_code_url`; `.svg` after the code draws it as SVG. */
export const directCode = endpoint({
  method: 'GET',
  path: '/qr/d/:code',
  access: 'public',
  summary: 'QR code of the direct download, PNG or SVG.',
  params: ByCode,
  reply: 'bytes',
})
/** Target of `email_qr_code_url`; the code is the photo's id. */
export const requestCode = endpoint({
  method: 'GET',
  path: '/qr/r/:code',
  access: 'public',
  summary: 'QR code of the request page, PNG or SVG.',
  params: ByCode,
  reply: 'bytes',
})
