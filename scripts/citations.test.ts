import { describe, expect, test } from 'vitest'
import {
  missingCommands,
  missingLinks,
  missingPaths,
  missingReferences,
  missingStrings,
  missingTitles,
  passagesOf,
  type Project,
} from './citations.ts'

const project: Project = {
  paths: new Set(
    `contract contract/limits.ts docs docs/behaviour.md server server/http server/http/serve.ts server/jobs
    server/jobs/jobs.ts web web/ui web/ui/Dialog.tsx README.md`.split(/\s+/),
  ),
  sections: new Set(['9', '14']),
  ids: new Set(['T21', 'T29', 'P5']),
  decisions: new Set(['0003']),
  commands: new Set(['bench']),
  textOf: (path) => (path === 'server/a.test.ts' ? "test('works', () => {})" : ''),
}

describe('a cited path', () => {
  test.each([
    'see `server/http/serve.ts`, and server/jobs/.',
    'read http/serve.ts',
    'server/http/*.ts, ht*/ser*.ts and *.tsx',
    'read jobs.ts and README.md',
    'in `web/ui/*.tsx` and server/http',
    'https://example.com/server/none.ts and @keepsnap/server/none.ts',
    'server/db/migrations/NNNN_what.ts, web/messages/en/<part>.ts, ./none.ts, web/dist-guest/guest.mjs',
  ])('is accepted in %j', (text) => {
    expect(missingPaths(text, 'contract/limits.ts', project)).toEqual([])
  })

  test.each([
    ['see server/http/access.ts.', 'server/http/access.ts'],
    ['`http/access.ts`', 'http/access.ts'],
    ['access.ts decides', 'access.ts'],
    ['obs.ts and bs/jobs.ts', 'obs.ts', 'bs/jobs.ts'],
    ['server/nothing holds it', 'server/nothing'],
    ['`web/ui/*.css`', 'web/ui/*.css'],
  ])('is reported in %j when it does not exist', (text, ...missing) => {
    expect(missingPaths(text, 'contract/limits.ts', project)).toEqual(missing)
  })

  test('is resolved from the folder of the citing file', () => {
    expect(missingPaths('see ui/Dialog.tsx', 'web/app.tsx', project)).toEqual([])
    expect(missingPaths('see Dialog.tsx', 'web/ui/Menu.tsx', project)).toEqual([])
  })
})

test('a string that is a path is reported when it does not exist', () => {
  const code = "run('server/http/serve.ts', \"web/none.tsx\", 'in server/none.ts', './none.ts', 'web/dist/none.css')"
  expect(missingStrings(code, project)).toEqual(['web/none.tsx'])
})

test('a Markdown link is resolved from its document', () => {
  const text =
    '[a](behaviour.md#x) [b](../README.md) [c](https://example.com/no.md) [d](none.md) [e](#here) [f](../server)'
  expect(missingLinks(text, 'docs/security.md', project)).toEqual(['none.md'])
})

test('sections, ids and decisions that do not exist are reported', () => {
  const problems = (text: string): string[] => missingReferences(text, project)
  expect(problems('docs/behaviour.md sections 9 and 14, docs/security.md T21, T29 and P5, decision 3')).toEqual([])
  expect(problems('docs/behaviour.md sections 9 and 15')).toEqual(['docs/behaviour.md has no section 15'])
  expect(problems('docs/behaviour.md section 14, docs/security.md T29 and P6.')).toEqual(['docs/security.md has no P6'])
  expect(problems('decision 0004')).toEqual(['docs/decisions has no 0004'])
})

test('commands and titles of tests that do not exist are reported', () => {
  expect(missingCommands('`npm run bench -- PART`, npm run nothing, npm start', project)).toEqual(['nothing'])
  expect(missingTitles("`server/a.test.ts` ('works') and `server/a.test.ts` (in detail)", project)).toEqual([])
  expect(missingTitles("`server/a.test.ts` ('fails') and `server/b.test.ts` ('works')", project)).toEqual([
    "server/a.test.ts has no test 'fails'",
    "server/b.test.ts has no test 'works'",
  ])
})

describe('what a file says', () => {
  test('are the comments of code, with adjacent line comments and wrapped lines joined', () => {
    const code = "// one\n// two\nconst a = 'server/none.ts'\n/**\n * docs/behaviour.md\n * section 9\n */\n"
    expect(passagesOf('a.ts', code)).toEqual([
      { line: 1, text: ' one  two' },
      { line: 4, text: expect.stringContaining('docs/behaviour.md section 9') },
    ])
    expect(passagesOf('a.css', 'a {}\n/* b\n   c */')).toEqual([{ line: 2, text: ' b c ' }])
  })

  test('are the paragraphs of a document', () => {
    expect(passagesOf('a.md', '# A\n\nb\nc\n')).toEqual([
      { line: 1, text: '# A ' },
      { line: 3, text: 'b c ' },
    ])
  })
})
