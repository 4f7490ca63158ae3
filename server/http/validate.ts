import { Ajv, type ErrorObject } from 'ajv'
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
