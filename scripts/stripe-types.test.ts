import { expect, test } from 'vitest'
import type { ParameterShape } from '../server/test/stripe-double/parameters.ts'
import { createShapeReader, createTypeFinder } from './stripe-types.ts'

const files: Record<string, string> = {
  'a.d.ts': `
    import { Base, Emptyable, OtherString as Open, MapParam } from './b.js';
    import { OtherString } from './b.js';
    export interface Params extends Base {
      name: string
      age?: Emptyable<number>
      kind?: 'one' | 'two' | OtherString
      list?: Array<Params.Item>
      metadata?: Emptyable<MapParam>
      when?: 'now' | number
      inline?: { [key: string]: boolean }
    }
    export declare namespace Params {
      interface Item { inner?: Item.Inner; type: Type }
      type Type = 'a' | OtherString
      namespace Item { interface Inner { deep?: boolean } }
    }`,
  'b.d.ts': `
    export interface Base { expand?: Array<string> }
    export interface MapParam { [name: string]: string | null }
    export type OtherString = string & Record<never, never>;`,
}

function shapeOf(name: string): ParameterShape {
  const { open, find } = createTypeFinder((path) => files[path] ?? '')
  const { scope, type } = find(open('a.d.ts').scope, name.split('.'))
  if (type.type !== 'TSInterfaceDeclaration') throw new Error(`${name} is not an interface`)
  const reference = { type: 'TSTypeReference', typeName: { type: 'Identifier', name: type.id.name } }
  // As the parser would build it for a use of the name.
  return createShapeReader(find)(scope, reference as Parameters<ReturnType<typeof createShapeReader>>[1])
}

test('parameters are read with what they inherit, in all depths', () => {
  expect(shapeOf('Params')).toEqual({
    fields: {
      expand: { items: 'string' },
      name: 'string',
      age: { anyOf: [{ values: [''] }, 'number'] },
      kind: { values: ['one', 'two'] },
      list: { items: { fields: { inner: { fields: { deep: 'boolean' } }, type: { values: ['a'] } } } },
      metadata: { anyOf: [{ values: [''] }, { map: { anyOf: [{ values: [''] }, 'string'] } }] },
      when: { anyOf: [{ values: ['now'] }, 'number'] },
      inline: { map: 'boolean' },
    },
  })
})

test('a type that does not exist is an error', () => {
  expect(() => shapeOf('Params.Missing')).toThrow('no type Missing')
})
