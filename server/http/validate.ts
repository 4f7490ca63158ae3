import { Ajv } from 'ajv'
import type { HttpServer } from './http-types.ts'

const ajvOptions = { strict: false, allErrors: false, removeAdditional: false, useDefaults: false } as const

// Each compiles a schema once, however many servers a process creates.
const strictAjv = new Ajv({ ...ajvOptions, coerceTypes: false })
const convertingAjv = new Ajv({ ...ajvOptions, coerceTypes: true })

/** Validates bodies without changing them; query strings, which are text, may be converted to numbers and booleans. */
export function useStrictValidation(app: HttpServer): void {
  // The contract's values are JSON Schema objects.
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'querystring' ? convertingAjv : strictAjv).compile(schema as object),
  )
}
