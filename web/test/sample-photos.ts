import type { Photo } from '@keepsnap/contract/photos.ts'

const first = Date.parse('2026-11-14T20:00:00.000Z')

/** A photo of its own minute, complete unless the facts say otherwise: `photo3` is newer than `photo2`. */
export function samplePhoto(number: number, facts: Partial<Photo> = {}): Photo {
  const id = `photo${number}`
  return {
    id,
    filename: `IMG_${4000 + number}.jpg`,
    b2_url: `http://photos.example/media/${id}?s=signed`,
    thumbnail_url: `http://photos.example/t/${id}`,
    qr_code_url: `http://photos.example/qr/d/${id}`,
    email_qr_code_url: `http://photos.example/qr/r/${id}`,
    created_at: new Date(first + number * 60_000).toISOString(),
    processing: false,
    processing_complete: true,
    processing_failed: false,
    error_message: null,
    width: 1500,
    height: 1000,
    thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
    hidden: false,
    size_bytes: 2_400_000,
    ...facts,
  }
}

/** As it is right after its upload. */
export const processingPhoto = (number: number, facts: Partial<Photo> = {}): Photo =>
  samplePhoto(number, {
    b2_url: null,
    thumbnail_url: null,
    processing: true,
    processing_complete: false,
    width: null,
    height: null,
    thumbhash: null,
    size_bytes: null,
    ...facts,
  })

/** As it is when nothing could be made of it. */
export const failedPhoto = (number: number, facts: Partial<Photo> = {}): Photo =>
  processingPhoto(number, { processing: false, processing_failed: true, ...facts })
