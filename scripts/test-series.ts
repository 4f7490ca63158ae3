/** A series of runs of all tests: what must not change between them, and the result as Markdown. */
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
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
  /** CPU seconds of `measureFixedWork` before and after the run: how fast the machine was. */
  fixedWork: [before: number, after: number]
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

const fixedWork = `
  const { createHash } = require('node:crypto')
  const bytes = Buffer.alloc(1 << 20)
  const sums = new Map()
  let last = 1
  for (let n = 0; n < 6_000_000; n++) {
    last = (Math.imul(last, 48_271) + n) >>> 0
    sums.set(last & 65_535, last)
  }
  for (let n = 0; n < 600; n++) createHash('sha256').update(bytes).digest()
  const { user, system } = process.cpuUsage()
  process.stdout.write(String((user + system) / 1e6))`

/**
 * CPU seconds of a computation that is always the same, done on two cores at once; the mean of both. The CPU time of a run can
 * only be compared with that of runs with about the same value: cores that are shared with other machines are slower.
 */
export async function measureFixedWork(): Promise<number> {
  const work = async (): Promise<number> =>
    Number((await promisify(execFile)(process.execPath, ['-e', fixedWork], { timeout: 120_000 })).stdout)
  const [one, other] = await Promise.all([work(), work()])
  return Number(((one + other) / 2).toFixed(2))
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
    'Fixed work: CPU seconds of a computation that is always the same, before and after the run: how fast the machine was.',
    '',
    '| run | ended | commit | beside endless loops | load before | fixed work | wall time | result |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...runs.map(
      ({ date, machine, isBesideLoops, fixedWork: [before, after], seconds, summary, passed }, index) =>
        `| ${index + 1} | ${date} | ${machine.commit} | ${isBesideLoops ? 'yes' : ''} | ${machine.loadBefore} | ${before}, ${after} s | ${seconds} s | ${passed ? '' : '**failed**: '}${summary} |`,
    ),
    '',
  ].join('\n')
}
