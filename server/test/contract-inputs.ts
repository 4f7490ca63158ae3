/** Generators of inputs for endpoints from the schemas of the contract: valid ones, and invalid ones in one respect. */
import { Ajv, type ValidateFunction } from 'ajv'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { TSchema } from 'typebox'

/** The part of JSON Schema that the contract uses. */
interface Schema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null'
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minLength?: number
  maxLength?: number
  pattern?: string
  minimum?: number
  maximum?: number
}

/** The texts that are likely in a field of this name. */
export type LikelyTexts = (field: string) => readonly string[]

const ajvOptions = { strict: false, allErrors: false } as const
const [ajv, convertingAjv] = [new Ajv(ajvOptions), new Ajv({ ...ajvOptions, coerceTypes: true })]
/** The contract's schemas are JSON Schema objects. */
export const compile = (schema: object): ValidateFunction => ajv.compile(schema)

/** Text that exploits queries, templates, paths and prototypes. */
const oddTexts = [
  '',
  ' ',
  '\u0000',
  'null',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  "' or 1=1 --",
  '%00',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '\ud800',
  '\u202egnp.exe',
  '\r\nx-injected: 1',
  '9'.repeat(40),
  'a@b.cc',
  'https://user:x@127.0.0.1:1/?a#b',
]
const edges = [0, 1, -1, 2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER]

function textOf(schema: Schema, likely: readonly string[]): Arbitrary<string> {
  const { minLength = 0, maxLength = 300, pattern } = schema
  const isGeneral = pattern === undefined || pattern.startsWith('^[^')
  const size = { minLength, maxLength: Math.min(maxLength, 60) }
  const byChance = isGeneral
    ? fc.oneof(fc.string({ ...size, unit: 'grapheme' }), fc.string({ ...size, unit: 'binary' }))
    : fc.stringMatching(new RegExp(pattern))
  const longest = isGeneral ? fc.constantFrom('x'.repeat(maxLength), '\u{1f600}'.repeat(maxLength)) : byChance
  return fc.oneof(
    { arbitrary: fc.constantFrom(...likely), weight: 5 },
    { arbitrary: byChance, weight: 3 },
    { arbitrary: fc.constantFrom(...oddTexts), weight: 1 },
    { arbitrary: longest, weight: 1 },
  )
}

function objectOf({ properties = {}, required = [] }: Schema, likely: LikelyTexts): Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, draft(one, { likely, field: name })]),
  )
  return fc.record(fields, { requiredKeys: required })
}

/** Values that have the form of a schema; few of them do not fit it. */
function draft(schema: Schema, context: { likely: LikelyTexts; field: string }): Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => draft(one, context)))
  switch (schema.type) {
    case 'object':
      return objectOf(schema, context.likely)
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 5 } = schema
      const size = { minLength: minItems, maxLength: Math.min(maxItems, 5) }
      return schema.uniqueItems ? fc.uniqueArray(draft(items, context), size) : fc.array(draft(items, context), size)
    }
    case 'string':
      return textOf(schema, context.likely(context.field))
    case 'integer':
    case 'number': {
      const { minimum: min = -(2 ** 31), maximum: max = Number.MAX_SAFE_INTEGER } = schema
      const inside = edges.filter((edge) => edge >= min && edge <= max)
      return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max, ...inside))
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      throw new Error(`no values are drawn for ${JSON.stringify(schema)}`)
  }
}

const draftOf = (schema: TSchema, likely: LikelyTexts): Arbitrary<unknown> => draft(schema, { likely, field: '' })

/** Values that fit a schema. */
export function validValues(schema: TSchema, likely: LikelyTexts): Arbitrary<unknown> {
  const isValid = compile(schema)
  return draftOf(schema, likely).filter((value) => isValid(value))
}

const wrongValues: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  'x',
  'x'.repeat(70_000 / 8),
  [],
  ['x'],
  {},
  { a: { b: 1 } },
]

/** One value of an object replaced, left out or added; or something else instead of the object. */
const withOneMistake = (value: unknown): Arbitrary<unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fc.constantFrom(...wrongValues)
  const fields = value as Record<string, unknown> // an object, as was tested
  const names = Object.keys(fields)
  const changed = fc
    .tuple(fc.constantFrom(...names, 'extra', '__proto__', 'is_admin'), fc.constantFrom(...wrongValues))
    .map(([name, wrong]) => Object.fromEntries([...Object.entries(fields), [name, wrong]]))
  const without = fc.constantFrom(...names, '').map((name) => {
    const { [name]: _left, ...others } = fields
    return others
  })
  return fc.oneof(
    { arbitrary: changed, weight: 5 },
    { arbitrary: without, weight: 2 },
    { arbitrary: fc.constantFrom(...wrongValues), weight: 1 },
  )
}

/** Values that do not fit a schema, most of them in one respect. */
export function invalidValues(schema: TSchema, likely: LikelyTexts): Arbitrary<unknown> {
  const isValid = compile(schema)
  return draftOf(schema, likely)
    .chain(withOneMistake)
    .filter((value) => !isValid(value))
}

/** A query or form: text by name. */
export type Fields = Record<string, string>

const textFields = (value: unknown): Fields =>
  Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  )
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether text fields fit a schema; those of a query are converted to its types, as the server does. */
function fieldsFit(schema: TSchema, isQuery: boolean): (fields: Fields) => boolean {
  const isValid = (isQuery ? convertingAjv : ajv).compile<Fields>(schema)
  return (fields) => isValid({ ...fields })
}

/** Text fields that fit a schema. */
export function validFields(schema: TSchema, likely: LikelyTexts, isQuery: boolean): Arbitrary<Fields> {
  const fit = fieldsFit(schema, isQuery)
  return draftOf(schema, likely).map(textFields).filter(fit)
}

/** Text fields that do not fit a schema. */
export function invalidFields(schema: TSchema, likely: LikelyTexts, isQuery: boolean): Arbitrary<Fields> {
  const fit = fieldsFit(schema, isQuery)
  return draftOf(schema, likely)
    .chain(withOneMistake)
    .filter(isObject)
    .map(textFields)
    .filter((fields) => !fit(fields))
}

/** A schema whose objects have no other fields than the declared ones. */
export function withoutOtherFields(schema: object): object {
  const copy = JSON.parse(JSON.stringify(schema)) as unknown // what TypeBox adds besides is not part of JSON Schema
  const close = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const one of Object.values(value)) close(one)
    if ('type' in value && value.type === 'object' && 'properties' in value && !('additionalProperties' in value))
      Object.assign(value, { additionalProperties: false })
  }
  close(copy)
  return copy as object // a copy of an object
}
