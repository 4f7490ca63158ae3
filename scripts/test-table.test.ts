import { expect, test } from 'vitest'
import { checkTestTable, readTestTable } from './test-table.ts'

const architecture = `## Before

| \`server/x/\` | \`x.test.ts\` |

## Tests

| Files | Tests |
|---|---|
| \`http/\`, \`main.ts\` | \`server.test.ts\`, of \`a.ts\`: \`e2e/main.spec.ts\` |
| \`web/pages/*Page.tsx\` | \`web/pages/pages.test.tsx\` |
`
const paths = [
  'server/http/server.ts',
  'server/http/server.test.ts',
  'server/http/a.ts',
  'server/main.ts',
  'e2e/main.spec.ts',
  'web/pages/HomePage.tsx',
  'web/pages/pages.test.tsx',
]

test('folders are those of the server unless they say another, and tests without one are in the first folder', () => {
  expect(readTestTable(architecture)).toEqual([
    {
      files: ['server/http/', 'server/main.ts'],
      tests: ['server/http/server.test.ts', 'server/http/a.ts', 'e2e/main.spec.ts'],
    },
    { files: ['web/pages/*Page.tsx'], tests: ['web/pages/pages.test.tsx'] },
  ])
})

test('every file has a test beside it or a row', () => {
  const table = readTestTable(architecture)
  expect(checkTestTable(table, paths)).toEqual([])
  expect(checkTestTable(table, [...paths, 'web/pages/Frame.tsx', 'server/db/migrations/0001_x.ts'])).toEqual([
    'web/pages/Frame.tsx has no test beside it, and no row of the section Tests names it',
  ])
  expect(checkTestTable(table, [...paths, 'web/pages/Frame.tsx', 'web/pages/Frame.test.tsx'])).toEqual([])
})

test('a row without files or without tests is noticed', () => {
  const table = readTestTable(architecture)
  expect(checkTestTable(table, [...paths, 'server/main.test.ts'])).toEqual([
    'the section Tests names server/main.ts, which has no file without a test of its own',
  ])
  expect(
    checkTestTable(
      table,
      paths.filter((path) => !path.startsWith('e2e/')),
    ),
  ).toEqual(['the section Tests names e2e/main.spec.ts, which does not exist'])
})
