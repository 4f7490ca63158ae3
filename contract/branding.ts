import { Boolean, Integer, Literal, Null, Object, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'

/** A picture of a brand after its upload. Both names of the address are there, whichever a client looks for. */
const Uploaded = { url: String() }

export const uploadLogo = endpoint({
  method: 'POST',
  path: '/upload-logo',
  access: 'user',
  summary: 'Upload a logo: PNG, JPG or SVG. Plans with custom branding.',
  upload: 'image',
  reply: Object({ ...Uploaded, logo_url: String() }),
})
export const uploadBackground = endpoint({
  method: 'POST',
  path: '/upload-background',
  access: 'user',
  summary: 'Upload the picture behind the latest photo. Plans with custom branding.',
  upload: 'image',
  reply: Object({ ...Uploaded, background_image_url: String() }),
})

/** `partial_success`: the profile is clean, but the file was gone from storage already or could not be reached. */
const Removed = Object({ partial_success: Boolean(), detail: String() })
export const deleteLogo = endpoint({
  method: 'DELETE',
  path: '/user/logo',
  access: 'user',
  summary: 'Delete the logo.',
  reply: Removed,
})
export const deleteBackground = endpoint({
  method: 'DELETE',
  path: '/user/background',
  access: 'user',
  summary: 'Delete the background picture.',
  reply: Removed,
})
/** Target of `logo_url` and `background_image_url`: public, unguessable, always PNG, JPEG or WebP. */
export const brandImage = endpoint({
  method: 'GET',
  path: '/b/:code',
  access: 'public',
  summary: 'A logo or a background.',
  params: Object({ code: String({ maxLength: 128 }) }),
  reply: 'bytes',
})

/** The watermark being put on, or taken off, photos that exist already. */
export const WatermarkRun = Object({
  state: Union([Literal('idle'), Literal('running'), Literal('stopping'), Literal('done'), Literal('stopped')]),
  what: Union([Literal('apply'), Literal('undo'), Null()]),
  total: Integer(),
  done: Integer(),
  failed: Integer(),
  started_at: Union([String(), Null()]),
  finished_at: Union([String(), Null()]),
  /** Photos that carry a watermark and can be had without it again. */
  undoable: Integer(),
  /** Photos that could be given the watermark. */
  applicable: Integer(),
})
export type WatermarkRun = Static<typeof WatermarkRun>

export const watermarkPreview = endpoint({
  method: 'GET',
  path: '/user/watermark/preview',
  access: 'user',
  summary: 'Your newest photo with your logo on it, as it would become. 404 without a photo or a logo.',
  reply: 'bytes',
})
export const watermarkRun = endpoint({
  method: 'GET',
  path: '/user/watermark',
  access: 'user',
  summary: 'How far the watermark has got on existing photos.',
  reply: WatermarkRun,
})
export const startWatermarkRun = endpoint({
  method: 'POST',
  path: '/user/watermark',
  access: 'user',
  summary: 'Put the watermark on existing photos, or take it off again.',
  body: Object({ what: Union([Literal('apply'), Literal('undo')]) }, { additionalProperties: false }),
  reply: WatermarkRun,
})
export const stopWatermarkRun = endpoint({
  method: 'DELETE',
  path: '/user/watermark',
  access: 'user',
  summary: 'Stop after the photos that are being worked on.',
  reply: WatermarkRun,
})
