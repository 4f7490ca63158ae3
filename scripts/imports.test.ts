import { expect, test } from 'vitest'
import { findCycles, findFolderCycles, importsOf, targetOf } from './imports.ts'

test('static, dynamic and type imports are read, and what is exported again', () => {
  const text = `
    import { a } from './a.ts'
    import type { B } from './b.ts'
    export { c } from './c.ts'
    export * from './d.ts'
    export type E = typeof import('./e.ts')
    export type F = import('./f.ts').F
    export const g = () => import('./g.ts')`
  expect(importsOf({ path: 'x.ts', text }).sort()).toEqual(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `./${name}.ts`),
  )
})

test('relative paths and workspaces are files of the project, others are packages', () => {
  expect(targetOf('server/http/serve.ts', '../lib/ids.ts')).toBe('server/lib/ids.ts')
  expect(targetOf('web/app.tsx', '@keepsnap/contract/plans.ts')).toBe('contract/plans.ts')
  expect(targetOf('web/app.tsx', 'react')).toBeUndefined()
})

test('files that import each other are found, directly or through others', () => {
  const imports = new Map([
    ['a/1', ['b/1']],
    ['b/1', ['c/1']],
    ['c/1', ['a/2', 'b/1']],
    ['a/2', []],
  ])
  expect(findCycles(imports)).toEqual([['b/1', 'c/1', 'b/1']])
})

test('folders that import each other are found although their files do not', () => {
  const imports = new Map([
    ['a/1', ['b/1', 'a/2']],
    ['b/1', ['c/1']],
    ['c/1', ['a/2']],
    ['tests/1', ['a/1']],
    ['a/2', ['tests/1']],
  ])
  const folderOf = (path: string) => (path.startsWith('tests/') ? undefined : path.slice(0, 1))
  expect(findFolderCycles(imports, folderOf)).toEqual(['a/1 imports b/1, b/1 imports c/1, c/1 imports a/2'])
})
