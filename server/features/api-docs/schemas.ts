import type { JsonSchema } from '@keepsnap/contract/api-docs.ts'
import { faultStatus } from '@keepsnap/contract/errors.ts'
import { eventDescriptions } from '@keepsnap/contract/field-descriptions.ts'
import { publicSchemas } from '@keepsnap/contract/public-schemas.ts'
import { WebhookTestEvent } from '@keepsnap/contract/webhook-events.ts'
import { createSchemaWriter } from './json-schema.ts'

/** Schemas that clients get as types of their own, with the descriptions of their fields. */
const named: typeof publicSchemas = {
  ...publicSchemas,
  WebhookTestEvent: { schema: WebhookTestEvent, fields: eventDescriptions['webhook.test'] },
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

/** The `components.schemas` of the OpenAPI document. */
export const schemaComponents = (): Record<string, JsonSchema> => ({
  ...Object.fromEntries(
    Object.entries(named).map(([name, one]) => [name, schemaWriter.define(one.schema, one.fields)]),
  ),
  ...refusalSchemas,
})
