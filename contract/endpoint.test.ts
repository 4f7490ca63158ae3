import { expect, test } from 'vitest'
import { accessOf, endpoint } from './endpoint.ts'

test('the access of an endpoint is a list, also when it is declared as one name', () => {
  expect(accessOf({ access: 'public' })).toEqual(['public'])
  expect(accessOf({ access: ['user', 'key'] })).toEqual(['user', 'key'])
})

test('an endpoint is the value that was declared', () => {
  const definition = { method: 'GET', path: '/a', access: 'user', summary: 'Get a.', reply: 'bytes' } as const
  expect(endpoint(definition)).toBe(definition)
})
