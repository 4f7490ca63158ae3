import { readdirSync } from 'node:fs'
import type { TObject } from 'typebox'
import Schema from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { exampleOf, exampleValues } from './examples.ts'

const called = ({ method, path }: Endpoint): string => `${method} ${path}`

test('every endpoint of the contract is in the list once', async () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const modules = await Promise.all(files.map((file) => import(`./${file}`) as Promise<Record<string, unknown>>))
  const declared = modules
    .flatMap((one) => Object.values(one))
    .filter((value) => typeof value === 'object' && value !== null && 'method' in value)
  expect(new Set(endpoints)).toEqual(new Set(declared))
  const names = endpoints.map(called)
  expect(new Set(names).size).toBe(names.length)
})

/** Fields of which the example has another one, because a call has only one of them. */
const alternatives: Record<string, string[]> = {
  'GET /photos': ['after', 'from'],
  'POST /photos/archive': ['on', 'event'],
  'POST /e/:code/request-email': ['archive'],
}

describe('the example of each endpoint', () => {
  test('fits its schemas, and has all of their fields', () => {
    for (const endpoint of endpoints) {
      const example = exampleOf(endpoint)
      for (const part of ['params', 'query', 'body'] as const) {
        const schema = endpoint[part]
        if (!schema) continue
        expect([called(endpoint), part, Schema.Check(schema, example[part])]).toEqual([called(endpoint), part, true])
        const fields = Object.keys((schema as TObject).properties) // inputs are objects
        expect([called(endpoint), Object.keys(example[part] ?? {}).toSorted()]).toEqual([
          called(endpoint),
          fields.filter((field) => !alternatives[called(endpoint)]?.includes(field)).toSorted(),
        ])
      }
    }
  })

  test('names what must exist by values that are no part of each other', () => {
    const values = Object.values(exampleValues)
    for (const value of values) expect(values.filter((other) => other.includes(value))).toEqual([value])
  })
})
