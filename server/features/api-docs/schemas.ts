import type { TSchema } from 'typebox'
import type { JsonSchema } from '@keepsnap/contract/api-docs.ts'
import { User } from '@keepsnap/contract/accounts.ts'
import { adminListUsers, AdminStats, AdminUser, AdminUserDetail } from '@keepsnap/contract/admin-api.ts'
import { PhotoPage } from '@keepsnap/contract/customer-api.ts'
import { faultStatus } from '@keepsnap/contract/errors.ts'
import * as fields from '@keepsnap/contract/field-descriptions.ts'
import { health } from '@keepsnap/contract/health.ts'
import { Photo } from '@keepsnap/contract/photos.ts'
import * as events from '@keepsnap/contract/webhook-events.ts'
import { createSchemaWriter, type Descriptions } from './json-schema.ts'

const { eventDescriptions } = fields

/** Schemas that clients get as types of their own, with the descriptions of their fields. */
const named: Record<string, { schema: TSchema; fields: Descriptions }> = {
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
  WebhookTestEvent: { schema: events.WebhookTestEvent, fields: eventDescriptions['webhook.test'] },
}

/** Writes schemas of the contract with references to those that have a name. */
export const schemaWriter = createSchemaWriter(
  new Map(Object.entries(named).map(([name, { schema }]) => [schema, name])),
)

const refusalSchemas: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
    description: 'Why a call was refused.',
    required: ['code', 'detail'],
    properties: {
      code: {
        type: 'string',
        enum: Object.keys(faultStatus).filter((code) => code !== 'invalid'),
        description: 'For programs.',
      },
      detail: { type: 'string', description: 'For people: what was wrong and what to do.' },
    },
  },
  ValidationError: {
    type: 'object',
    description: 'Which fields are wrong.',
    required: ['code', 'detail'],
    properties: {
      code: { type: 'string', const: 'invalid', description: 'For programs.' },
      detail: {
        type: 'array',
        description: 'One entry for each field that is wrong.',
        items: {
          type: 'object',
          required: ['loc', 'msg'],
          properties: {
            loc: {
              type: 'array',
              description: 'The path to the field, such as query, limit.',
              items: { type: ['string', 'integer'] },
            },
            msg: { type: 'string', description: 'What is wrong with it.' },
          },
        },
      },
    },
  },
}

/** `components.schemas`. */
export const schemaComponents = (): Record<string, JsonSchema> => ({
  ...Object.fromEntries(
    Object.entries(named).map(([name, one]) => [name, schemaWriter.define(one.schema, one.fields)]),
  ),
  ...refusalSchemas,
})
