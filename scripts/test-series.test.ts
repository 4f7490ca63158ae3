import { expect, test } from 'vitest'
import { readRunSummary, seriesMarkdown, testedFilesHash, type SeriesRun } from './test-series.ts'

test('the summary of a run has its last times and counts', () => {
  const output =
    '2 passed, 1 failed, 0 skipped\n\nWall time 380 s, CPU time 500 s\n\n6913 passed, 0 failed, 0 skipped\n'
  expect(readRunSummary(output)).toBe('Wall time 380 s, CPU time 500 s; 6913 passed, 0 failed, 0 skipped')
  expect(readRunSummary('killed\n')).toBe('no summary: see its log')
})

test('the hash of the tested files repeats', () => {
  expect(testedFilesHash()).toMatch(/^[0-9a-f]{12}$/)
  expect(testedFilesHash()).toBe(testedFilesHash())
})

test('a run that failed is marked in the result', () => {
  const machine: SeriesRun['machine'] = {
    cpu: 'CPU',
    cores: 2,
    memoryGb: 8,
    kernel: 'Linux',
    node: 'v24',
    versions: {},
    commit: 'abc',
    diskSyncMs: 1,
    loadBefore: 0.5,
  }
  const run = { date: '2026-11-25T00:00:00.000Z', seconds: 400, machine }
  const text = seriesMarkdown({
    filesHash: '0123456789ab',
    runs: [
      { ...run, isBesideLoops: false, summary: '10 passed, 0 failed, 0 skipped', passed: true },
      { ...run, isBesideLoops: true, summary: '9 passed, 1 failed, 0 skipped', passed: false },
    ],
  })
  expect(text).toContain('| 1 | 2026-11-25T00:00:00.000Z | abc |  | 0.5 | 400 s | 10 passed, 0 failed, 0 skipped |')
  expect(text).toContain(
    '| 2 | 2026-11-25T00:00:00.000Z | abc | yes | 0.5 | 400 s | **failed**: 9 passed, 1 failed, 0 skipped |',
  )
})
