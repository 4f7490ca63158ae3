import type { TSchema } from 'typebox'
import { currentUser, User } from './accounts.ts'
import { adminGetUser, adminListUsers, adminStats, AdminStats, AdminUser, AdminUserDetail } from './operators.ts'
import * as events from './integrations.ts'
import { latestPhotoByKey, listPhotosByKey, PhotoPage, uploadPhotoByKey } from './integrations.ts'
import type { Endpoint } from './endpoint.ts'
import type { FaultCode, FieldError } from './errors.ts'
import { health } from './site.ts'
import { customerApiLimits } from './limits.ts'
import * as fields from './field-descriptions.ts'
import { Photo } from './photos.ts'

/** A call of the public API, as the documentation shows it. */
export interface PublicCall {
  /** Its name in generated clients. */
  id: string
  group: 'Photos' | 'Account' | 'Health' | 'Admin'
  endpoint: Endpoint
  /** What the summary leaves out, in sentences. */
  description?: string
  /** What `params` and `query` of the endpoint mean, with the value that counts when it is left out. `examples.ts` has their examples. */
  parameters?: Readonly<Record<string, { description: string; default?: number }>>
  /** Refusals besides those that follow from the endpoint: credentials, rate limit, input, and a service that is down. */
  faults: readonly FaultCode[]
  /** The detail of a refusal, where it is another than usual. */
  details?: Partial<Record<FaultCode, string | FieldError[]>>
}

/** The sentence of the refusal of a repeated upload with another file. */
export const idempotencyKeyOfOtherFile =
  'This Idempotency-Key was used for another file before. This file was not stored: send it with a key of its own.'

const page = {
  skip: { description: 'How many of the newest to leave out.', default: 0 },
  limit: { description: 'How many to return at most.', default: customerApiLimits.pageMax },
}

/** The calls for other programs, in the order of the documentation. */
export const publicCalls = [
  {
    id: 'uploadPhoto',
    group: 'Photos',
    endpoint: uploadPhotoByKey,
    description:
      'Answers as soon as the photo is stored; both QR codes work from then on, and the image is ready about a second later. With wait, the answer comes when processing has ended, or after that many seconds. HDR photos are stored in standard range: a gain map is not kept. Counts as photo access, and as one of the 600 uploads of the account in any 10 minutes.',
    parameters: {
      wait: { description: 'Seconds to wait for the end of processing before the answer.', default: 0 },
    },
    faults: [
      'bad_request',
      'quota_photos',
      'quota_storage',
      'conflict',
      'too_large',
      'not_an_image',
      'processing_limit',
    ],
    details: { invalid: [{ loc: ['header', 'Idempotency-Key'], msg: idempotencyKeyOfOtherFile }] },
  },
  {
    id: 'listPhotos',
    group: 'Photos',
    endpoint: listPhotosByKey,
    description:
      'To read all photos, begin without before, and send the header X-Next-Before of each page as before of the next; the last page has none. No photo is repeated or left out while others are added, hidden or deleted. With skip, each photo that is added or deleted between two pages moves the others by one place.',
    parameters: {
      ...page,
      before: {
        description:
          'Only photos older than the one with this id. The id of a deleted photo works for a day. Not together with skip.',
      },
    },
    faults: [],
  },
  {
    id: 'getLatestPhoto',
    group: 'Photos',
    endpoint: latestPhotoByKey,
    faults: ['not_found'],
  },
  {
    id: 'getUser',
    group: 'Account',
    endpoint: currentUser,
    description: 'The account that the key belongs to.',
    faults: [],
  },
  {
    id: 'getHealth',
    group: 'Health',
    endpoint: health,
    description: 'Needs no key. “degraded”: the database or the store for photos is down.',
    faults: [],
  },
  { id: 'listUsers', group: 'Admin', endpoint: adminListUsers, parameters: page, faults: [] },
  { id: 'getStats', group: 'Admin', endpoint: adminStats, faults: [] },
  {
    id: 'getUserDetail',
    group: 'Admin',
    endpoint: adminGetUser,
    parameters: { user_id: { description: 'The id of the account, from the list.' } },
    faults: ['not_found'],
    details: { not_found: 'This user does not exist.' },
  },
] as const satisfies readonly PublicCall[]

/** The name of a call in generated clients. */
export type PublicCallId = (typeof publicCalls)[number]['id']

const { eventDescriptions } = fields

/** What other programs get as types of their own, by name, with the descriptions of the fields. */
export const publicSchemas: Record<string, { schema: TSchema; fields: Readonly<Record<string, string>> }> = {
  Photo: { schema: Photo, fields: fields.photoFields },
  PhotoPage: { schema: PhotoPage, fields: fields.photoPageFields },
  User: { schema: User, fields: fields.userFields },
  Health: { schema: health.reply, fields: fields.healthFields },
  AdminUser: { schema: AdminUser, fields: fields.adminUserFields },
  AdminUserPage: { schema: adminListUsers.reply, fields: fields.adminUserPageFields },
  AdminUserDetail: { schema: AdminUserDetail, fields: fields.adminUserDetailFields },
  AdminStats: { schema: AdminStats, fields: fields.adminStatsFields },
  PhotoReadyEvent: { schema: events.PhotoReadyEvent, fields: eventDescriptions['photo.ready'] },
  PhotoFailedEvent: { schema: events.PhotoFailedEvent, fields: eventDescriptions['photo.failed'] },
  PhotoDeletedEvent: { schema: events.PhotoDeletedEvent, fields: eventDescriptions['photo.deleted'] },
  RequestCreatedEvent: { schema: events.RequestCreatedEvent, fields: eventDescriptions['request.created'] },
}
