import { Ajv, type ErrorObject } from 'ajv'
import build from 'fast-json-stringify'
import type { HttpServer } from './http-types.ts'

const ajvOptions = { strict: false, allErrors: false, removeAdditional: false, useDefaults: false } as const

// Each compiles a schema once, however many servers a process creates.
const strictAjv = new Ajv({ ...ajvOptions, coerceTypes: false })
const convertingAjv = new Ajv({ ...ajvOptions, coerceTypes: true })

interface Validate {
  (data: unknown): boolean
  errors?: ErrorObject[] | null
}

/**
 * Validates bodies without changing them; query strings, which are text, may be converted to numbers and booleans. A
 * schema is compiled for its first request, so that a program starts without compiling those of all endpoints.
 */
export function useStrictValidation(app: HttpServer): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const ajv = httpPart === 'querystring' ? convertingAjv : strictAjv
    const validate: Validate = (data) => {
      // The contract's values are JSON Schema objects. Ajv compiles each of them once.
      const compiled = ajv.compile(schema as object)
      const isValid = compiled(data)
      validate.errors = compiled.errors ?? null
      return isValid
    }
    return validate
  })
}

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
