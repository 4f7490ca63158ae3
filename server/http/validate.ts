import { Ajv } from 'ajv'
import type { FastifyInstance } from 'fastify'

const base = { strict: false, allErrors: false, removeAdditional: false, useDefaults: false } as const

/** Bodies are taken as they are; query strings, being text, may be read as numbers and booleans. */
export function validateStrictly(app: FastifyInstance): void {
  const asIs = new Ajv({ ...base, coerceTypes: false })
  const fromText = new Ajv({ ...base, coerceTypes: true })
  // The contract's values are JSON Schema objects.
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'querystring' ? fromText : asIs).compile(schema as object),
  )
}
