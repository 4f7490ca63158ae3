import { Boolean, Integer, Literal, Null, Object, String, Union, type Static } from 'typebox'
import { endpoint, exact, nullable, oneOf, pathId } from './endpoint.ts'

// The URL is given under two names, because clients may look for either.
const UploadedImage = { url: String() }

export const uploadLogo = endpoint({
  method: 'POST',
  path: '/upload-logo',
  access: 'user',
  summary: 'Upload a logo: PNG, JPG, SVG or WebP. Requires a plan with custom branding.',
  upload: 'image',
  reply: Object({ ...UploadedImage, logo_url: String() }),
})
export const uploadBackground = endpoint({
  method: 'POST',
  path: '/upload-background',
  access: 'user',
  summary:
    'Upload the image shown behind the latest photo: JPG, PNG, GIF, WebP, AVIF, TIFF or HEIC. Requires a plan with custom branding.',
  upload: 'image',
  reply: Object({ ...UploadedImage, background_image_url: String() }),
})

// `partial_success`: removed from the profile, but the file was already gone from storage or could not be reached.
const RemovedImage = Object({ partial_success: Boolean(), detail: String() })
export const deleteLogo = endpoint({
  method: 'DELETE',
  path: '/user/logo',
  access: 'user',
  summary: 'Delete the logo.',
  reply: RemovedImage,
})
export const deleteBackground = endpoint({
  method: 'DELETE',
  path: '/user/background',
  access: 'user',
  summary: 'Delete the background image.',
  reply: RemovedImage,
})
/** Target of `logo_url` and `background_image_url`: a public, unguessable URL of a PNG, JPEG or WebP. */
export const brandImage = endpoint({
  method: 'GET',
  path: '/b/:code',
  access: 'public',
  summary: 'Get a logo or a background image.',
  params: Object({ code: pathId }),
  reply: 'bytes',
})

/** Adding the watermark to existing photos, or removing it. One run per user; times are ISO 8601 in UTC. */
export const WatermarkRun = Object({
  state: oneOf('idle', 'running', 'stopping', 'done', 'stopped'),
  what: Union([Literal('apply'), Literal('undo'), Null()]),
  total: Integer(),
  done: Integer(),
  failed: Integer(),
  started_at: nullable(String()),
  finished_at: nullable(String()),
  /** Number of photos from which the watermark can be removed. */
  undoable: Integer(),
  /** Number of photos to which the watermark can be added. */
  applicable: Integer(),
})
export type WatermarkRun = Static<typeof WatermarkRun>

export const watermarkPreview = endpoint({
  method: 'GET',
  path: '/user/watermark/preview',
  access: 'user',
  summary: 'Preview your newest photo with your logo on it. 404 without a photo or a logo.',
  reply: 'bytes',
})
export const watermarkRun = endpoint({
  method: 'GET',
  path: '/user/watermark',
  access: 'user',
  summary: 'Get the progress of the watermark run on existing photos.',
  reply: WatermarkRun,
})
export const startWatermarkRun = endpoint({
  method: 'POST',
  path: '/user/watermark',
  access: 'user',
  summary: 'Add the watermark to existing photos, or remove it.',
  body: exact({ what: oneOf('apply', 'undo') }),
  reply: WatermarkRun,
})
export const stopWatermarkRun = endpoint({
  method: 'DELETE',
  path: '/user/watermark',
  access: 'user',
  summary: 'Stop the watermark run after the current photo.',
  reply: WatermarkRun,
})
