import type { ApiDocument, ApiExample, ApiOperation, JsonSchema } from '@keepsnap/contract/api-docs.ts'

/** A call of the API, or an event of webhooks. */
export interface NamedOperation {
  /** The hash of links to it: `get-api-photos-latest`, `photo-ready`. */
  id: string
  /** `GET` and so on; `event` for an event. */
  verb: string
  /** The path, or the type of the event. */
  name: string
  operation: ApiOperation
}

const idOf = (...parts: string[]): string =>
  parts
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/-$/, '')

/** The calls with a tag, in the order of the document. */
export const operationsWithTag = (document: ApiDocument, tag: string): NamedOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({
        id: idOf(method, path),
        verb: method.toUpperCase(),
        name: path,
        operation,
      })),
  )

/** The events that webhooks receive. */
export const eventsOf = (document: ApiDocument): NamedOperation[] =>
  Object.entries(document.webhooks).map(([type, { post }]) => ({
    id: idOf(type),
    verb: 'event',
    name: type,
    operation: post,
  }))

/** Resolves a `$ref`; any other schema is returned as it is. */
function resolveSchema(document: ApiDocument, schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (document.components.schemas[name] ?? schema)
}

/** One field of a JSON object; fields of objects inside have names such as `usage.storage_used_mb`. */
export interface SchemaField {
  name: string
  schema: JsonSchema
}

/** The fields of an object and of the objects in it; of a list, those of its entries. */
export function fieldsOf(document: ApiDocument, schema: JsonSchema, prefix = ''): SchemaField[] {
  const { properties, items } = resolveSchema(document, schema)
  if (items) return fieldsOf(document, items, prefix.replace(/\.$/, '[].'))
  return Object.entries(properties ?? {}).flatMap(([name, property]) => [
    { name: prefix + name, schema: property },
    ...fieldsOf(document, property, `${prefix}${name}.`),
  ])
}

/** A refusal of a call. */
export interface OperationRefusal extends ApiExample {
  status: string
  code: string
}

/** The refusals of an operation, in the order of their statuses. */
export const refusalsOfOperation = (document: ApiDocument, { responses }: ApiOperation): OperationRefusal[] =>
  Object.entries(responses).flatMap(([status, { content }]) =>
    Object.entries(content?.['application/json'].examples ?? {}).flatMap(([code, example]) => {
      const known =
        '$ref' in example ? document.components.examples[code as keyof ApiDocument['components']['examples']] : example // a code
      return known ? [{ status, code, ...known }] : []
    }),
  )
