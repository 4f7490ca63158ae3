import { Array, Integer, Object, Optional, String, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { customerApiLimits, limits } from './limits.ts'
import { Photo } from './photos.ts'

// Calls for programs with a customer's API key; `GET /user/me` is among them.

export const uploadPhotoByKey = endpoint({
  method: 'POST',
  path: '/api/upload',
  access: 'key',
  rate: 'photos',
  summary: 'Upload one photo. Responds once the photo is stored durably; processing follows.',
  upload: 'image',
  idempotent: true,
  query: Object(
    {
      /** Seconds to wait for the end of processing before the answer. The answer is the same 201 when it has not ended by then. */
      wait: Optional(Integer({ minimum: 0, maximum: customerApiLimits.waitSecondsMax })),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: Photo,
})

/** One page of the photos, and how many there are. */
export const PhotoPage = Object({ photos: Array(Photo), total: Integer(), skip: Integer(), limit: Integer() })
export type PhotoPage = Static<typeof PhotoPage>

export const listPhotosByKey = endpoint({
  method: 'GET',
  path: '/api/photos',
  access: 'key',
  rate: 'photos',
  summary: 'List photos, newest first.',
  query: Object(
    {
      /** How many of the newest to leave out; 0 if not given. */
      skip: Optional(Integer({ minimum: 0, maximum: limits.skipMax })),
      /** Only photos older than the photo with this id. Not together with `skip`. */
      before: Optional(String({ maxLength: 128 })),
      /** 50 if not given. */
      limit: Optional(Integer({ minimum: 1, maximum: customerApiLimits.pageMax })),
    },
    { additionalProperties: false },
  ),
  reply: PhotoPage,
})

export const latestPhotoByKey = endpoint({
  method: 'GET',
  path: '/api/photos/latest',
  access: 'key',
  rate: 'photos',
  summary: 'Get the newest photo that is not hidden from guests; 404 if there is none.',
  reply: Photo,
})
