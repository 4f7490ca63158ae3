import type { Photo } from '@keepsnap/contract/photos.ts'

const first = Date.parse('2026-11-14T20:00:00.000Z')

/** A photo taken in minute `number`, processed unless `fields` say otherwise: `photo3` is newer than `photo2`. */
export function samplePhoto(number: number, fields: Partial<Photo> = {}): Photo {
  const id = `photo${number}`
  return {
    id,
    filename: `IMG_${4000 + number}.jpg`,
    b2_url: `http://photos.example/media/${id}?s=signed`,
    screen_url: `http://photos.example/screen/${id}?s=signed`,
    thumbnail_url: `http://photos.example/t/${id}`,
    qr_code_url: `http://photos.example/qr/d/${id}`,
    email_qr_code_url: `http://photos.example/qr/r/${id}`,
    created_at: new Date(first + number * 60_000).toISOString(),
    processing: false,
    processing_complete: true,
    processing_failed: false,
    error_message: null,
    can_retry: false,
    width: 1500,
    height: 1000,
    thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
    hidden: false,
    operator_decision: null,
    size_bytes: 2_400_000,
    ...fields,
  }
}

/** A photo right after its upload. */
export const processingPhoto = (number: number, fields: Partial<Photo> = {}): Photo =>
  samplePhoto(number, {
    b2_url: null,
    screen_url: null,
    thumbnail_url: null,
    processing: true,
    processing_complete: false,
    width: null,
    height: null,
    thumbhash: null,
    size_bytes: null,
    ...fields,
  })

/** A photo that could not be processed. */
export const failedPhoto = (number: number, fields: Partial<Photo> = {}): Photo =>
  processingPhoto(number, { processing: false, processing_failed: true, can_retry: true, ...fields })
