import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { stages } from './record-stages.ts'
import { sourceFiles } from './source-files.ts'

const files = sourceFiles(/^(client|server|web|e2e)\//)
const isTestFile = (path: string): boolean => /\.(test|spec|record)\.tsx?$/.test(path)
/** Only `npm run record` reads it. */
const isRecordFile = (path: string): boolean => path.endsWith('.record.ts')
const usesLongCounts = (text: string): boolean =>
  /\b(isRecord|repetitions\(|runFuzz\()|KEEPSNAP_(RECORD|CYCLES|FUZZ)/.test(text)

/** Helpers with long counts of their own; the tests that import them have long counts too. */
const helpers = files
  .filter(({ path, text }) => !isTestFile(path) && !path.endsWith('/statistics.ts') && usesLongCounts(text))
  .map(({ path }) => basename(path))

const testsWithLongCounts = files
  .filter(
    ({ path, text }) =>
      isTestFile(path) &&
      (isRecordFile(path) || usesLongCounts(text) || helpers.some((name) => text.includes(`/${name}'`))),
  )
  .map(({ path }) => path)

test('every test with a long count is in a stage of npm run record', () => {
  expect(testsWithLongCounts.length).toBeGreaterThan(20)
  const stagePaths = stages.flatMap(({ testPaths }) => testPaths)
  const isInStage = (file: string): boolean => stagePaths.some((path) => file === path || file.startsWith(`${path}/`))
  expect(testsWithLongCounts.filter((file) => !isInStage(file))).toEqual([])
})

test('every path of a stage exists', () => {
  const exists = (path: string): boolean => files.some((file) => file.path === path || file.path.startsWith(`${path}/`))
  expect(stages.flatMap(({ testPaths }) => testPaths.filter((path) => !exists(path)))).toEqual([])
})
