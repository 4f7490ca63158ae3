import { Object, Optional, String } from 'typebox'
import { endpoint } from './endpoint.ts'
import { sampleCodePath, samplePagePath } from './samples.ts'

// Any text is accepted: an unknown code is a 404, not a validation error.
const ByPhotoCode = Object({ code: String({ maxLength: 128 }) })
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
const BySampleName = Object({ name: String({ maxLength: 128 }) })

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
