import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { stages } from './record-stages.ts'
import { sourceFiles } from './source-files.ts'

const files = sourceFiles(/^(client|server|web|e2e)\//)
const isTestFile = (path: string): boolean => /\.(test|spec|record)\.tsx?$/.test(path)
const usesLongCounts = (text: string): boolean =>
  /\b(isRecord|repetitions\(|runFuzz\()|KEEPSNAP_(RECORD|CYCLES|FUZZ)/.test(text)
/** Modules with long counts of their own; the tests that import them have long counts too. */
const modules = files
  .filter(({ path, text }) => !isTestFile(path) && !path.endsWith('/statistics.ts') && usesLongCounts(text))
  .map(({ path }) => basename(path))

const stagePaths = Object.values(stages).flatMap((stage) => stage.files)
const isOf = (file: string, path: string): boolean => file === path || file.startsWith(`${path}/`)

test('every test with a long count is in a stage of npm run record', () => {
  const longTests = files.filter(
    ({ path, text }) =>
      isTestFile(path) &&
      (path.includes('.record.') || usesLongCounts(text) || modules.some((name) => text.includes(`/${name}'`))),
  )
  expect(longTests.length).toBeGreaterThan(20)
  expect(longTests.filter(({ path }) => !stagePaths.some((each) => isOf(path, each))).map(({ path }) => path)).toEqual(
    [],
  )
})

test('every path of a stage exists', () => {
  expect(stagePaths.filter((each) => !files.some(({ path }) => isOf(path, each)))).toEqual([])
})
