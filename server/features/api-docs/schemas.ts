import type { JsonSchema } from '@keepsnap/contract/api-docs.ts'
import { faultStatus } from '@keepsnap/contract/errors.ts'
import { eventDescriptions } from '@keepsnap/contract/field-descriptions.ts'
import { publicSchemas } from '@keepsnap/contract/public-schemas.ts'
import { WebhookTestEvent } from '@keepsnap/contract/webhook-events.ts'
import type { TSchema } from 'typebox'

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

/** Descriptions of fields, by their paths. */
type FieldDescriptionMap = Readonly<Record<string, string>>

/** The names of the schemas that others refer to with `$ref`. */
type NamedSchemas = ReadonlyMap<TSchema, string>

const timeName = /(_at|_end|^timestamp|_until)$/
const urlName = /(^|_)url$/

/** The format of a string, inferred from the name of its field. */
function formatOf(name: string): string | undefined {
  if (timeName.test(name)) return 'date-time'
  if (urlName.test(name)) return 'uri'
  return name === 'email' ? 'email' : undefined
}

/** Simplifies `anyOf`: constants become `enum`, and null becomes a second `type`. */
function simplifyUnion(options: JsonSchema[]): JsonSchema {
  const types = new Set(options.map(({ type }) => type))
  const constants = options.flatMap((one) => (one.const === undefined ? [] : [one.const]))
  if (constants.length === options.length && types.size === 1)
    return { ...(options[0]?.type && { type: options[0].type }), enum: constants }
  const [first, second, ...others] = options
  const isNullable = first && !first.$ref && typeof first.type === 'string' && second?.type === 'null' && !others.length
  if (!isNullable) return { anyOf: options }
  const { type = '', ...rest } = first
  return { type: [type, 'null'].flat(), ...rest, ...(rest.enum && { enum: [...rest.enum, null] }) }
}

/**
 * A schema of the contract as the document shows it: with references to named schemas, formats, and descriptions. Throws
 * for a field without a description.
 */
function createSchemaWriter(names: NamedSchemas) {
  const write = (schema: TSchema, fields: FieldDescriptionMap, at: readonly string[]): JsonSchema => {
    const name = names.get(schema)
    return name === undefined ? writeInline(schema, fields, at) : { $ref: `#/components/schemas/${name}` }
  }
  const writeField = (schema: TSchema, fields: FieldDescriptionMap, at: readonly string[]): JsonSchema => {
    const description = fields[at.join('.')]
    if (description === undefined) throw new Error(`the field ${at.join('.')} of the public API has no description`)
    const written = write(schema, fields, at)
    const format = [written.type].flat().includes('string') && !written.enum ? formatOf(at.at(-1) ?? '') : undefined
    return { ...written, ...(format && { format }), description }
  }
  const writeInline = (schema: TSchema, fields: FieldDescriptionMap, at: readonly string[]): JsonSchema => {
    const parts = schema as { properties?: Record<string, TSchema>; items?: TSchema; anyOf?: TSchema[] } // of such schemas
    const options: JsonSchema = { ...schema }
    if (parts.anyOf) return simplifyUnion(parts.anyOf.map((one) => write(one, fields, at)))
    if (parts.items) return { ...options, items: write(parts.items, fields, at) }
    if (!parts.properties) return options
    const written = Object.entries(parts.properties).map(([name, field]) => [
      name,
      writeField(field, fields, [...at, name]),
    ])
    return { ...options, properties: Object.fromEntries(written) }
  }
  return {
    write: (schema: TSchema, fields: FieldDescriptionMap = {}): JsonSchema => write(schema, fields, []),
    /** The schema itself, where `write` gives a reference to it. */
    define: (schema: TSchema, fields: FieldDescriptionMap): JsonSchema => writeInline(schema, fields, []),
  }
}
