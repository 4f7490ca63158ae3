/** Writes the TypeScript of client/api.ts: the calls that keys open, their types and their comments, from the contract. */
import { accessOf, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import { faultStatus } from '@keepsnap/contract/errors.ts'

/** What this project uses of JSON Schema. */
export interface Schema {
  type?: string
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
}

/** Comments of schemas and their properties, by `Name` and `Name.property`. */
export type Comments = ReadonlyMap<string, string>

/** What is generated. */
export interface ClientContract {
  /** Schemas that become a type of their own. */
  types: Record<string, Schema>
  /** Endpoints, by the name of their method. */
  endpoints: Record<string, Endpoint>
  /** The name of an endpoint in the contract, by that of its method: its comments have that name. */
  contractNames: Record<string, string>
  comments: Comments
}

const citation = /[;,]? docs\/[\w-]+\.md (?:sections? \d+(?:(?:, | and )\d+)*|[TPF]\d+)/g

/** The comments of a file in `contract/`: those before a declaration, and those before a property. */
export function commentsIn(text: string): Map<string, string> {
  const comments = new Map<string, string>()
  const declarations = [...text.matchAll(/^(?:export )?const (\w+)/gm)]
  for (const { 1: raw = '', 2: declared, 3: property, index } of text.matchAll(
    /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*(?:export const (\w+)|(\w+):)/g,
  )) {
    const owner = declarations.findLast((one) => one.index < index)?.[1]
    const comment = raw
      .replace(/\s*\n\s*\*?\s*/g, ' ')
      .trim()
      .replace(citation, '')
    if (declared) comments.set(declared, comment)
    else if (owner) comments.set(`${owner}.${property}`, comment)
  }
  return comments
}

const comment = (text: string | undefined, indent: string): string => (text ? `${indent}/** ${text} */\n` : '')
const quote = (text: unknown): string => (typeof text === 'string' ? `'${text}'` : JSON.stringify(text))

/** The names of the types of a contract, and its comments. */
interface Printer {
  names: ReadonlyMap<Schema, string>
  comments: Comments
}

/** A schema as a type. `owner` is the name that comments of its properties have. */
function typeOf(schema: Schema, printer: Printer, { owner, indent }: { owner: string; indent: string }): string {
  const name = printer.names.get(schema)
  if (name && name !== owner) return name
  if (schema.const !== undefined) return quote(schema.const)
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, printer, { owner, indent })).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array': {
      const item = typeOf(schema.items ?? {}, printer, { owner, indent })
      return item.includes('|') ? `(${item})[]` : `${item}[]`
    }
    case 'object':
      return objectType(schema, printer, { owner, indent })
  }
  throw new Error(`${owner}: the client has no type for ${JSON.stringify(schema)}`)
}

function objectType(schema: Schema, printer: Printer, { owner, indent }: { owner: string; indent: string }): string {
  const inner = `${indent}  `
  const required = new Set(schema.required)
  const lines = Object.entries(schema.properties ?? {}).map(([key, property]) => {
    const type = typeOf(property, printer, { owner, indent: inner })
    // With exactOptionalPropertyTypes, callers may still pass undefined.
    return `${comment(printer.comments.get(`${owner}.${key}`), inner)}${inner}${key}${required.has(key) ? `: ${type}` : `?: ${type} | undefined`}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

function operationOf(endpoint: Endpoint): string {
  const [access] = accessOf(endpoint).includes('public') ? ['public'] : accessOf(endpoint)
  const key = access === 'public' ? 'none' : accessOf(endpoint).includes('admin') ? 'admin' : 'customer'
  return `{ method: '${endpoint.method}', path: '${endpoint.path}', key: '${key}' }`
}

/** The text of client/api.ts. */
export function clientTypes({ types, endpoints, contractNames, comments }: ClientContract): string {
  const printer: Printer = { names: new Map(Object.entries(types).map(([name, type]) => [type, name])), comments }
  const declarations = Object.entries(types).map(
    ([name, schema]) =>
      `${comment(comments.get(name), '')}export ${
        schema.type === 'object' ? `interface ${name} ` : `type ${name} = `
      }${typeOf(schema, printer, { owner: name, indent: '' })}\n`,
  )
  const calls = Object.entries(endpoints).map(([name, endpoint]) => {
    const owner = contractNames[name] ?? name
    const part = (which: 'params' | 'query' | 'reply'): string => {
      const schema = endpoint[which]
      if (!schema || schema === 'bytes') return ''
      // The comments of an endpoint are about what it takes.
      const commentOwner = which === 'reply' ? `${owner}.reply` : owner
      return `    ${which}: ${typeOf(schema, printer, { owner: commentOwner, indent: '    ' })}\n`
    }
    return `  /** ${endpoint.summary} */\n  ${name}: {\n${part('params')}${part('query')}${part('reply')}  }\n`
  })
  return [
    '// Generated from contract/ by scripts/generate-client.ts; run: npm run types\n',
    ...declarations,
    `/** What each call takes and answers. */\nexport interface Calls {\n${calls.join('')}}\n`,
    `/** How each call is sent, and which kind of key it needs. */\nexport const operations = {\n${Object.entries(
      endpoints,
    )
      .map(([name, endpoint]) => `  ${name}: ${operationOf(endpoint)},\n`)
      .join('')}} as const\n`,
    `/** The codes of errors, each with the status of its answers. */\nexport const errorStatus = {\n${Object.entries(
      faultStatus,
    )
      .map(([code, status]) => `  ${code}: ${status},\n`)
      .join('')}} as const\nexport type ErrorCode = keyof typeof errorStatus\n`,
  ].join('\n')
}
