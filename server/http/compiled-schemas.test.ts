import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { serializerOf } from './serialize.ts'
import { useStrictValidation } from './validate.ts'

// A program compiles each schema when it is first used, so it would not notice a wrong one when it starts.
test.for(endpoints)('the schemas of $method $path can be compiled', async ({ params, query, body, reply }) => {
  const app = fastify()
  const parts = [
    ['params', params],
    ['querystring', query],
    ['body', body],
  ] as const
  useStrictValidation(app)
  const route = { method: 'GET', url: '/' }
  for (const [httpPart, schema] of parts)
    if (schema) expect(app.validatorCompiler?.({ ...route, schema, httpPart })({})).toBeTypeOf('boolean')
  if (reply !== 'bytes') expect(serializerOf(reply)).toBeTypeOf('function')
})
