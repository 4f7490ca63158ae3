import { Array, Integer, Literal, Null, Object, Optional, String, Union } from 'typebox'
import { expect, test } from 'vitest'
import { endpoint } from '@keepsnap/contract/endpoint.ts'
import { clientTypes, type ClientContract } from './client-types.ts'

const Thing = Object({
  name: String(),
  state: Union([Literal('on'), Literal('off'), Null()]),
  inside: Object({ sizes: Array(Integer()) }),
})
const call: ClientContract['calls'][number] = {
  id: 'listThings',
  group: 'Photos',
  endpoint: endpoint({
    method: 'GET',
    path: '/things/:id',
    access: ['user', 'key'],
    summary: 'List things.',
    params: Object({ id: String() }),
    query: Object({ limit: Optional(Integer()) }),
    reply: Object({ things: Array(Union([Thing, Null()])) }),
  }),
  description: 'The newest first.',
  parameters: { limit: { description: 'How many.', default: 10 } },
  faults: [],
}
const fields = { name: 'Of the thing.', 'inside.sizes': 'In pixels.' }

test('schemas and calls become types, with the descriptions of the contract', () => {
  const text = clientTypes({ types: { Thing: { schema: Thing, fields } }, calls: [call] })
  expect(text).toContain(`export interface Thing {
  /** Of the thing. */
  name: string
  state: 'on' | 'off' | null
  inside: {
    /** In pixels. */
    sizes: number[]
  }
}`)
  expect(text).toContain(`  /** List things. The newest first. */
  listThings: {
    params: {
      id: string
    }
    query: {
      /** How many. 10 if not given. */
      limit?: number | undefined
    }
    reply: {
      things: (Thing | null)[]
    }
  }`)
  expect(text).toContain("listThings: { method: 'GET', path: '/things/:id', key: 'customer' }")
  expect(text).toContain('  rate_limited: 429,')
})

test('an unnamed schema is inlined', () => {
  expect(clientTypes({ types: {}, calls: [call] })).toContain('things: ({\n        name: string')
})

test('a schema that the generator does not know is an error, not any', () => {
  const types = { Unknown: { schema: { type: 'tuple' }, fields: {} } }
  expect(() => clientTypes({ types, calls: [] })).toThrow(/no type.*tuple/)
})
