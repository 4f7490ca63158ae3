/** Writes the TypeScript of client/api.ts: the calls that keys open, and the types of their replies, from the contract. */
import { accessOf, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import { faultStatus } from '@keepsnap/contract/errors.ts'
import type { PublicCall } from '@keepsnap/contract/public-api.ts'

/** What this project uses of JSON Schema. */
export interface Schema {
  type?: string
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
}

/** What fields mean, by their path, such as `usage.storage_used_mb`. */
export type DescriptionsByPath = Readonly<Record<string, string>>

/** What is generated. */
export interface ClientContract {
  /** Schemas that become a type of their own. */
  types: Record<string, { schema: Schema; fields: DescriptionsByPath }>
  calls: readonly PublicCall[]
}

/** Where a schema stands, and what its fields are described by. */
interface Place {
  names: ReadonlyMap<Schema, string>
  fields: DescriptionsByPath
  path: string
  indent: string
}

const comment = (text: string | undefined, indent: string): string => (text ? `${indent}/** ${text} */\n` : '')

/** A schema as a type. */
function typeOf(schema: Schema, place: Place): string {
  const name = place.names.get(schema)
  if (name) return name
  if (schema.const !== undefined)
    return typeof schema.const === 'string' ? `'${schema.const}'` : JSON.stringify(schema.const)
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, place)).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array': {
      const item = typeOf(schema.items ?? {}, place)
      return item.includes('|') ? `(${item})[]` : `${item}[]`
    }
    case 'object':
      return objectType(schema, place)
  }
  throw new Error(`the client has no type for ${JSON.stringify(schema)}`)
}

function objectType(schema: Schema, place: Place): string {
  const indent = `${place.indent}  `
  const required = new Set(schema.required)
  const lines = Object.entries(schema.properties ?? {}).map(([key, property]) => {
    const path = place.path ? `${place.path}.${key}` : key
    const type = typeOf(property, { ...place, path, indent })
    // With exactOptionalPropertyTypes, callers may still pass undefined.
    const declared = required.has(key) ? `${key}: ${type}` : `${key}?: ${type} | undefined`
    return `${comment(place.fields[path], indent)}${indent}${declared}\n`
  })
  return `{\n${lines.join('')}${place.indent}}`
}

function namedType(
  name: string,
  { schema, fields }: ClientContract['types'][string],
  names: Map<Schema, string>,
): string {
  const others = new Map(Array.from(names).filter(([one]) => one !== schema))
  return `export interface ${name} ${typeOf(schema, { names: others, fields, path: '', indent: '' })}\n`
}

/** What a call takes and answers. */
function callType({ id, endpoint, description, parameters = {} }: PublicCall, names: Map<Schema, string>): string {
  const described = Object.entries(parameters).map(([name, one]): [string, string] => [
    name,
    one.default === undefined ? one.description : `${one.description} ${one.default} if not given.`,
  ])
  const part = (which: 'params' | 'query' | 'reply'): string => {
    const schema = endpoint[which]
    if (!schema || schema === 'bytes') return ''
    const fields = which === 'reply' ? {} : Object.fromEntries(described)
    return `    ${which}: ${typeOf(schema, { names, fields, path: '', indent: '    ' })}\n`
  }
  const text = [endpoint.summary, ...(description ? [description] : [])].join(' ')
  return `${comment(text, '  ')}  ${id}: {\n${part('params')}${part('query')}${part('reply')}  }\n`
}

function keyOf(endpoint: Endpoint): string {
  const access = accessOf(endpoint)
  if (access.includes('public')) return 'none'
  return access.includes('admin') ? 'admin' : 'customer'
}

/** The text of client/api.ts. */
export function clientTypes({ types, calls }: ClientContract): string {
  const names = new Map(Object.entries(types).map(([name, { schema }]) => [schema, name]))
  const operations = calls.map(
    ({ id, endpoint }) =>
      `  ${id}: { method: '${endpoint.method}', path: '${endpoint.path}', key: '${keyOf(endpoint)}' },\n`,
  )
  const codes = Object.entries(faultStatus).map(([code, status]) => `  ${code}: ${status},\n`)
  return [
    '// Generated from contract/ by scripts/generate-client.ts; run: npm run types\n',
    ...Object.entries(types).map(([name, type]) => namedType(name, type, names)),
    `/** What each call takes and answers. */\nexport interface Calls {\n${calls.map((call) => callType(call, names)).join('')}}\n`,
    `/** How each call is sent, and which kind of key it needs. */\nexport const operations = {\n${operations.join('')}} as const\n`,
    `/** The codes of errors, each with the status of its answers. */\nexport const errorStatus = {\n${codes.join('')}} as const\nexport type ErrorCode = keyof typeof errorStatus\n`,
  ].join('\n')
}
