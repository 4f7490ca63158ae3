/**
 * Generates client/api.ts from the contract: the calls that keys open, and the types of their replies. With --check fails when it
 * is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accessOf, type Endpoint } from '../contract/endpoint.ts'
import { faultStatus } from '../contract/errors.ts'
import { type PublicCall, publicCalls, publicSchemas } from '../contract/public-api.ts'
import { root } from './source-files.ts'

interface Schema {
  type?: string
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
}

/** Schemas that become a type of their own; `fields`: what their fields mean, by paths such as `usage.storage_used_mb`. */
const types: Record<string, { schema: Schema; fields: Readonly<Record<string, string>> }> = publicSchemas
const typeNames = new Map(Object.entries(types).map(([name, { schema }]) => [schema, name]))

/** Where a schema stands, and what its fields are described by. */
interface Place {
  names: ReadonlyMap<Schema, string>
  fields: Readonly<Record<string, string>>
  path: string
  indent: string
}

const comment = (text: string | undefined, indent: string): string => (text ? `${indent}/** ${text} */\n` : '')

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

function namedType([name, { schema, fields }]: [string, (typeof types)[string]]): string {
  const names = new Map([...typeNames].filter(([one]) => one !== schema))
  return `export interface ${name} ${typeOf(schema, { names, fields, path: '', indent: '' })}\n`
}

function callType({ id, endpoint, description, parameters = {} }: PublicCall): string {
  const described = Object.entries(parameters).map(([name, one]): [string, string] => [
    name,
    one.default === undefined ? one.description : `${one.description} ${one.default} if not given.`,
  ])
  const part = (which: 'params' | 'query' | 'reply'): string => {
    const schema = endpoint[which]
    if (!schema || schema === 'bytes') return ''
    const fields = which === 'reply' ? {} : Object.fromEntries(described)
    return `    ${which}: ${typeOf(schema, { names: typeNames, fields, path: '', indent: '    ' })}\n`
  }
  const text = [endpoint.summary, ...(description ? [description] : [])].join(' ')
  return `${comment(text, '  ')}  ${id}: {\n${part('params')}${part('query')}${part('reply')}  }\n`
}

function keyOf(endpoint: Endpoint): string {
  const access = accessOf(endpoint)
  if (access.includes('public')) return 'none'
  return access.includes('admin') ? 'admin' : 'customer'
}

const operations = publicCalls.map(
  ({ id, endpoint }) =>
    `  ${id}: { method: '${endpoint.method}', path: '${endpoint.path}', key: '${keyOf(endpoint)}' },\n`,
)
const codes = Object.entries(faultStatus).map(([code, status]) => `  ${code}: ${status},\n`)
const text = [
  '// Generated from contract/ by scripts/generate-client.ts; run: npm run types\n',
  ...Object.entries(types).map(namedType),
  `/** What each call takes and answers. */\nexport interface Calls {\n${publicCalls.map(callType).join('')}}\n`,
  `/** How each call is sent, and which kind of key it needs. */\nexport const operations = {\n${operations.join('')}} as const\n`,
  `/** The codes of errors, each with the status of its answers. */\nexport const errorStatus = {\n${codes.join('')}} as const\nexport type ErrorCode = keyof typeof errorStatus\n`,
].join('\n')
const target = join(root, 'client/api.ts')
if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  process.stderr.write('client/api.ts does not match the contract; run: npm run types\n')
  process.exitCode = 1
}
