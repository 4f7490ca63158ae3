import { dirname, join } from 'node:path'
import { isTest } from './source-files.ts'

/** A row of the table: files without a test of their own, and the tests that run them. Both as paths from the root. */
export interface TestedBy {
  files: string[]
  tests: string[]
}

const topFolder = /^(?:contract|client|server|web|e2e|bench|scripts)(?:\/|$)/
const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
const fromRoot = (path: string): string => (topFolder.test(path) ? path : join('server', path))
const folderOf = (path: string): string => (path.endsWith('/') ? path : dirname(path))

/** Reads the table of the section Tests. A name without a folder, on the right, is in the folder of the first on the left. */
export function readTestTable(architecture: string): TestedBy[] {
  const section = /^## Tests\n(.*?)(?=^## |(?![\s\S]))/ms.exec(architecture)?.[1] ?? ''
  const rows = [...section.matchAll(/^\| (.*`.*) \| (.*`.*) \|$/gm)]
  return rows.map(([, left = '', right = '']) => {
    const files = namesIn(left).map(fromRoot)
    const folder = folderOf(files[0] ?? '')
    return { files, tests: namesIn(right).map((name) => (name.includes('/') ? fromRoot(name) : join(folder, name))) }
  })
}

/** A path that ends with a slash stands for all files beneath it, a star for a part of a name. */
function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')
  return new RegExp(`^${escaped}${path.endsWith('/') ? '' : '$'}`)
}

/** A file, or one of its records, has a test beside it under its name. */
function hasOwnTest(path: string, paths: ReadonlySet<string>): boolean {
  const name = path.replace(/\.tsx?$/, '')
  return ['.test.ts', '.test.tsx', '.record.ts'].some((ending) => paths.has(`${name}${ending}`))
}

/** Declarations of types, configurations of builds and migrations have no tests of their own. */
const needsTest = (path: string): boolean =>
  /^(?:contract|client|server|web)\/.*\.tsx?$/.test(path) &&
  !isTest(path) &&
  !/\.d\.ts$|\.config\.ts$|\/migrations\//.test(path)

/** What the table does not say of these paths, or says without reason. */
export function checkTestTable(table: readonly TestedBy[], paths: readonly string[]): string[] {
  const known = new Set(paths)
  const untested = paths.filter((path) => needsTest(path) && !hasOwnTest(path, known))
  const named = table.flatMap(({ files }) => files)
  const patterns = named.map(patternOf)
  return [
    ...untested
      .filter((path) => !patterns.some((pattern) => pattern.test(path)))
      .map((path) => `${path} has no test beside it, and no row of the section Tests names it`),
    ...named
      .filter((_, at) => !untested.some((path) => patterns[at]?.test(path)))
      .map((path) => `the section Tests names ${path}, which has no file without a test of its own`),
    ...table
      .flatMap(({ tests }) => tests)
      .filter((test) => !paths.some((path) => patternOf(test).test(path)))
      .map((test) => `the section Tests names ${test}, which does not exist`),
    ...table.filter(({ tests }) => tests.length === 0).map(({ files }) => `no test is named for ${files.join(', ')}`),
  ]
}
