import build from 'fast-json-stringify'
import type { HttpServer } from './http-types.ts'

type Serialize = (value: unknown) => string

// Each schema is compiled once, however many servers a process creates.
const compiled = new WeakMap<object, Serialize>()

/**
 * Writes declared fields only, as Fastify does by itself. A schema is compiled for its first response, so that a program
 * starts without compiling those of all endpoints.
 */
export function useSharedSerializers(app: HttpServer): void {
  app.setSerializerCompiler(
    ({ schema }) =>
      (value) =>
        serializerOf(schema)(value),
  )
}

/** The serializer of a schema, compiled once; throws when the schema is invalid. */
export function serializerOf(schema: object): Serialize {
  const known = compiled.get(schema)
  if (known) return known
  const serialize = build(schema)
  compiled.set(schema, serialize)
  return serialize
}
