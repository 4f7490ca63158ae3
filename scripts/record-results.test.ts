import { expect, test } from 'vitest'
import { countLinesIn, stageMarkdown, type RecordRun, type StageResult } from './record-results.ts'
import type { Stage } from './record-stages.ts'

test.each(['1710854929', 'aebd52d6', 'aebdfacd'])('a line with a count and the seed %s is kept', (seed) => {
  const line = `100 orders of events ended with the state at the provider (seed ${seed})`
  expect(countLinesIn(`\u001B[32mstdout\u001B[39m\n  ${line}\n\n ✓ server/a.test.ts (seed 1)\nother\n`)).toEqual([line])
})

test('a result names the skipped tests with their reasons', () => {
  const stage: Stage = { name: 'backup', title: 'restore drills', vitestProject: 'server', testPaths: [] }
  const skipped = [{ name: 'server/a.test.ts: a full disk', reason: 'needs root' }]
  const result: StageResult = {
    passed: 3,
    failed: 1,
    skipped,
    seconds: 2,
    date: '2026-11-25',
    countLines: ['3 drills'],
  }
  const machine = { cpu: 'A', cores: 2, memoryGb: 4, kernel: 'Linux', node: 'v24', commit: 'c', loadBefore: 1 }
  const run: RecordRun = { machine, seed: 'aebd52d6', cycles: '1000', fuzz: undefined }
  expect(stageMarkdown(stage, result, run).split('\n')).toEqual([
    '# Restore drills',
    '',
    'Recorded 2026-11-25 by `npm run record -- backup`: 3 tests passed, 1 failed, 1 skipped, 2 s.',
    'A, 2 cores, 4 GB, Linux, Node v24. Commit c. Seed aebd52d6; load average before 1.',
    '1000 cycles of killing; mutated files: as many as each test sets.',
    '',
    '- 3 drills',
    '',
    '- SKIPPED server/a.test.ts: a full disk: needs root',
    '',
  ])
})
