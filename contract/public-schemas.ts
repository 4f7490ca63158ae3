import type { TSchema } from 'typebox'
import { User } from './accounts.ts'
import { adminListUsers, AdminStats, AdminUser, AdminUserDetail } from './admin-api.ts'
import { PhotoPage } from './customer-api.ts'
import * as fields from './field-descriptions.ts'
import { health } from './health.ts'
import { Photo } from './photos.ts'
import * as events from './webhook-events.ts'

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
