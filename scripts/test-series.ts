/** A series of runs of all tests: what must not change between them, and the result as Markdown. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import type { Machine } from '../bench/machine.ts'
import { root } from './source-files.ts'

export interface SeriesRun {
  /** ISO 8601, at its end. */
  date: string
  /** Whether an endless loop ran on each core meanwhile. */
  isBesideLoops: boolean
  /** Wall time with `npm test` around the tests. */
  seconds: number
  machine: Machine
  /** Its last lines: times and counts. */
  summary: string
  passed: boolean
}

export interface Series {
  /** Of the tested files; runs of other files do not count. */
  filesHash: string
  runs: SeriesRun[]
}

export const runsBesideLoops: readonly number[] = [2, 5, 8, 11, 14]

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
const untested = [':(exclude)bench/results', ':(exclude,glob)**/*.md']

/** Changed or new files that are not committed, except for documents and results. */
export function uncommittedFiles(): string[] {
  const output = git('status', '--porcelain', '--', '.', ...untested)
  return output.split('\n').filter((line) => line !== '')
}

/** The hash of the committed files except for documents and results: 12 hexadecimal digits. */
export function testedFilesHash(): string {
  return createHash('sha256')
    .update(git('ls-files', '--stage', '--', '.', ...untested))
    .digest('hex')
    .slice(0, 12)
}

/** The lines at the end of a run with its times and its counts, as one; a run without them says so. */
export function readRunSummary(output: string): string {
  const times = output.match(/^Wall time .*$/gm)?.at(-1)
  const counts = output.match(/^\d+ passed, \d+ failed.*$/gm)?.at(-1)
  return [times, counts].filter((line) => line !== undefined).join('; ') || 'no summary: see its log'
}

/** The result as a document. */
export function seriesMarkdown({ filesHash, runs }: Series): string {
  const machines = [
    ...new Set(
      runs.map(
        ({ machine }) =>
          `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.kernel}, Node ${machine.node}`,
      ),
    ),
  ]
  return [
    '# All tests, repeated',
    '',
    `Runs of \`npm test\` in a row, by \`npm run repeat-tests\`. Tested files ${filesHash}. ${machines.join('; ')}.`,
    '',
    '| run | ended | commit | beside endless loops | load before | wall time | result |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...runs.map(
      ({ date, machine, isBesideLoops, seconds, summary, passed }, index) =>
        `| ${index + 1} | ${date} | ${machine.commit} | ${isBesideLoops ? 'yes' : ''} | ${machine.loadBefore} | ${seconds} s | ${passed ? '' : '**failed**: '}${summary} |`,
    ),
    '',
  ].join('\n')
}
