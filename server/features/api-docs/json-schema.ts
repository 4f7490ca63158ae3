import type { TSchema } from 'typebox'
import type { JsonSchema } from '@keepsnap/contract/api-docs.ts'

/** Descriptions of fields, by their paths. */
export type FieldDescriptionMap = Readonly<Record<string, string>>

/** The names of the schemas that others refer to with `$ref`. */
export type NamedSchemas = ReadonlyMap<TSchema, string>

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
export function createSchemaWriter(names: NamedSchemas) {
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
