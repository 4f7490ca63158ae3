import { Array, Integer, Literal, Null, Object, Optional, String, Union } from 'typebox'
import { expect, test } from 'vitest'
import { endpoint } from '@keepsnap/contract/endpoint.ts'
import { clientTypes, commentsIn, type Schema } from './client-types.ts'

const Thing = Object({ name: String(), state: Union([Literal('on'), Literal('off'), Null()]), sizes: Array(Integer()) })
const getThings = endpoint({
  method: 'GET',
  path: '/things/:id',
  access: 'key',
  summary: 'Get things.',
  params: Object({ id: String() }),
  query: Object({ limit: Optional(Integer()) }),
  reply: Object({ things: Array(Union([Thing, Null()])) }),
})
const source = `
/** A thing; docs/behaviour.md sections 3 and 12. Its second sentence. */
export const Thing = Object({
  /** Of the thing,
   * over two lines. */
  name: String(),
})
export const getThings = endpoint({
  query: Object({
    /** Ten if not given. */
    limit: Optional(Integer()),
  }),
})`

const generate = (types: Record<string, Schema> = { Thing }): string =>
  clientTypes({
    types,
    endpoints: { listThings: getThings },
    contractNames: { listThings: 'getThings' },
    comments: commentsIn(source),
  })

test('schemas and endpoints become types, with the comments of the contract', () => {
  const text = generate()
  expect(text).toContain(`/** A thing. Its second sentence. */
export interface Thing {
  /** Of the thing, over two lines. */
  name: string
  state: 'on' | 'off' | null
  sizes: number[]
}`)
  expect(text).toContain(`  /** Get things. */
  listThings: {
    params: {
      id: string
    }
    query: {
      /** Ten if not given. */
      limit?: number | undefined
    }
    reply: {
      things: (Thing | null)[]
    }
  }`)
  expect(text).toContain("listThings: { method: 'GET', path: '/things/:id', key: 'customer' }")
  expect(text).toContain('  rate_limited: 429,')
})

test('a schema without a type of its own stands where it is used', () => {
  expect(generate({})).toContain('things: ({\n        name: string')
})

test('a schema that the generator does not know is an error, not any', () => {
  const Unknown = { type: 'tuple' }
  expect(() => generate({ Unknown })).toThrow(/Unknown.*no type.*tuple/)
})
