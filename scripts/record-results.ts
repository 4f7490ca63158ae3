import { stripVTControlCharacters } from 'node:util'
import type { Machine } from '../bench/machine.ts'
import type { Stage } from './record-stages.ts'
import type { TestResults } from './test-reporter.ts'

export interface StageResult extends Pick<TestResults, 'passed' | 'failed' | 'skipped'> {
  seconds: number
  /** ISO 8601. */
  date: string
  /** Lines in which the tests print their counts and seeds. */
  countLines: string[]
}

/** The settings of a run that its results name. */
export interface RecordRun {
  machine: Omit<Machine, 'versions' | 'diskSyncMs'>
  seed: string
  cycles: string
  fuzz: string | undefined
}

/** The lines of an output in which tests say how often they did what, or what they measured. */
export const countLinesIn = (output: string): string[] =>
  stripVTControlCharacters(output)
    .split('\n')
    .filter((line) => /\(seed \S+\)|none lost|^(?:engine|lighthouse|screens): /.test(line) && !line.includes('✓'))
    .map((line) => line.trim())

export const skippedLines = ({ skipped }: Pick<TestResults, 'skipped'>): string[] =>
  skipped.map(({ name, reason }) => `SKIPPED ${name}: ${reason}`)

/** The result of a stage as Markdown. */
export function stageMarkdown({ name, title }: Stage, result: StageResult, run: RecordRun): string {
  const { passed, failed, skipped, seconds, countLines, date } = result
  const { machine, seed, cycles, fuzz } = run
  const list = (items: readonly string[]): string[] => (items.length ? ['', ...items.map((item) => `- ${item}`)] : [])
  return [
    `# ${title[0]?.toUpperCase()}${title.slice(1)}`,
    '',
    `Recorded ${date} by \`npm run record -- ${name}\`: ${passed} tests passed, ${failed} failed, ${skipped.length} skipped, ${seconds} s.`,
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.kernel}, Node ${machine.node}. Commit ${machine.commit}. Seed ${seed}; load average before ${machine.loadBefore}.`,
    `${cycles} cycles of killing; mutated files: ${fuzz ?? 'as many as each test sets'}.`,
    ...list(countLines),
    ...list(skippedLines(result)),
    '',
  ].join('\n')
}
