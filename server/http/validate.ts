import { Ajv } from 'ajv'
import type { HttpServer } from './http-types.ts'

const options = { strict: false, allErrors: false, removeAdditional: false, useDefaults: false } as const

// Each compiles a schema once, however many servers a process creates.
const strict = new Ajv({ ...options, coerceTypes: false })
const converting = new Ajv({ ...options, coerceTypes: true })

/** Validates bodies without changing them; query strings, which are text, may be converted to numbers and booleans. */
export function useStrictValidation(app: HttpServer): void {
  // The contract's values are JSON Schema objects.
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'querystring' ? converting : strict).compile(schema as object),
  )
}
