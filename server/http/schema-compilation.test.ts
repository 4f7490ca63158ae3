import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { serializerOf, useStrictValidation } from './schema-compilation.ts'

const app = fastify()
useStrictValidation(app)
const route = { method: 'GET', url: '/' }

// A program compiles each schema when it is first used, so it would not notice a wrong one when it starts.
test.for(endpoints)('the schemas of $method $path can be compiled', ({ params, query, body, reply }) => {
  const parts = Object.entries({ params, querystring: query, body }).filter(([, schema]) => schema)
  const verdicts = parts.map(([httpPart, schema]) => app.validatorCompiler?.({ ...route, schema, httpPart })({}))
  expect(verdicts.every((verdict) => typeof verdict === 'boolean')).toBe(true)
  expect(() => reply === 'bytes' || serializerOf(reply)).not.toThrow()
})
