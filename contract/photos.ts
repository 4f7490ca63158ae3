import { Array, Boolean, Integer, Null, Object, Optional, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { limits } from './limits.ts'

const Nullable = <T extends Parameters<typeof Union>[0][number]>(schema: T) => Union([schema, Null()])

/** A photo as its owner sees it: spec section 3, product.md section 4. */
export const Photo = Object({
  id: String(),
  filename: String(),
  /** Full-size image, signed; null until it exists. */
  b2_url: Nullable(String()),
  /** WebP, 480 px on the long side; null until it exists. */
  thumbnail_url: Nullable(String()),
  /** PNG of the direct-download code; the same address with `.svg` is the drawing. */
  qr_code_url: String(),
  /** PNG of the code that leads to the request page. */
  email_qr_code_url: String(),
  /** ISO 8601, UTC. */
  created_at: String(),
  /** True while neither complete nor failed. */
  processing: Boolean(),
  processing_complete: Boolean(),
  processing_failed: Boolean(),
  /** Why it failed, as a sentence for its owner. */
  error_message: Nullable(String()),
  /** Pixels, upright; null until known. */
  width: Nullable(Integer()),
  height: Nullable(Integer()),
  /** ThumbHash, base64. */
  thumbhash: Nullable(String()),
  /** Hidden from guests by its owner, after a report. */
  hidden: Boolean(),
  /** Bytes of the full-size image. */
  size_bytes: Nullable(Integer()),
})
export type Photo = Static<typeof Photo>

/** Ids and codes: 22 characters of base 62, 131 random bits. */
export const idPattern = '^[A-Za-z0-9]{22}$'
const ById = Object({ id: String({ maxLength: 128 }) })

export const uploadPhoto = endpoint({
  method: 'POST',
  path: '/photos/upload',
  access: 'user',
  summary: 'Upload one photo; answered once it is safe, then processed.',
  upload: 'image',
  status: 201,
  reply: Photo,
})
export const listPhotos = endpoint({
  method: 'GET',
  path: '/photos',
  access: 'user',
  summary: 'Photos, newest first. More exist when the answer carries x-next-before.',
  query: Object(
    {
      limit: Optional(Integer({ minimum: 1, maximum: limits.listMax })),
      before: Optional(String({ maxLength: 128 })),
    },
    { additionalProperties: false },
  ),
  reply: Array(Photo),
})
export const latestPhoto = endpoint({
  method: 'GET',
  path: '/photos/latest',
  access: 'user',
  summary: 'The newest photo; 404 when there is none.',
  reply: Photo,
})
export const getPhoto = endpoint({
  method: 'GET',
  path: '/photos/:id',
  access: 'user',
  summary: 'One photo.',
  params: ById,
  reply: Photo,
})
export const deletePhoto = endpoint({
  method: 'DELETE',
  path: '/photos/:id',
  access: 'user',
  summary: 'Delete a photo. It is gone from every page at once.',
  params: ById,
  status: 204,
  reply: Null(),
})
export const retryPhoto = endpoint({
  method: 'POST',
  path: '/photos/:id/retry',
  access: 'user',
  summary: 'Process a failed photo again, within seven days of its upload.',
  params: ById,
  reply: Photo,
})
