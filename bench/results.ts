import { mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { Machine } from './machine.ts'

/** One measured quantity, with the reference and the limit that belong to it. */
export interface Measurement {
  name: string
  unit: string
  /** The measured values, one a run. */
  runs: number[]
  /** The same quantity of a baseline, measured in pairs, each right before or after ours. */
  reference?: { name: string; runs: number[] }
  /** As it is printed in the table. */
  limit?: string
  withinLimit?: boolean
}

export interface BenchOptions {
  /** An empty folder, deleted afterwards. */
  scratchDir: string
  /** Fewer rounds, to check that the benchmark works. */
  quick: boolean
  log(line: string): void
}

/** A part of the benchmarks that can be run alone. */
export interface BenchmarkPart {
  title: string
  /** Printed above the table. */
  method: string
  run(options: BenchOptions): Promise<Measurement[]>
}

/** A quantile (share from 0 to 1), interpolated linearly between the two nearest values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)]
  const above = sorted[Math.ceil(position)]
  if (below === undefined || above === undefined) throw new Error('there are no values')
  return below + (above - below) * (position - Math.floor(position))
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export const measured = (name: string, unit: string, runs: number[]): Measurement => ({ name, unit, runs })

const ratiosOf = ({ runs, reference }: Measurement): number[] =>
  reference ? runs.map((value, index) => value / reference.runs[index]!) : []

/** Adds an upper limit of the median. */
export const atMost = (one: Measurement, most: number, limit = `<= ${most} ${one.unit}`): Measurement => ({
  ...one,
  limit,
  withinLimit: median(one.runs) <= most,
})

/** Adds a lower limit of the median. */
export const atLeast = (one: Measurement, least: number): Measurement => ({
  ...one,
  limit: `>= ${least} ${one.unit}`,
  withinLimit: median(one.runs) >= least,
})

/** Adds a reference, and a lower limit of the median ratio to it. */
export function ratioAtLeast(one: Measurement, reference: { name: string; runs: number[] }, least: number) {
  const compared: Measurement = { ...one, reference, limit: `>= ${least} x ${reference.name}` }
  return { ...compared, withinLimit: median(ratiosOf(compared)) >= least }
}

/** Adds the limit that every run must be below. */
export const alwaysBelow = (one: Measurement, limit: number): Measurement => ({
  ...one,
  limit: `< ${limit} ${one.unit} in every run`,
  withinLimit: one.runs.every((value) => value < limit),
})

function summary(runs: readonly number[]): string {
  const [middle, least, most] = [median(runs), Math.min(...runs), Math.max(...runs)].map((n) =>
    Number(n.toPrecision(4)),
  )
  return runs.length > 1 ? `${middle} (${least} to ${most})` : `${middle}`
}

/** A measurement as a line of a log. */
export const lineOf = (one: Measurement): string =>
  `${one.name}: ${summary(one.runs)} ${one.unit}` +
  (one.reference ? `, ${summary(ratiosOf(one))} x ${one.reference.name}` : '') +
  (one.limit ? `; limit ${one.limit}` : '')

/** The result of a part as Markdown. */
export function markdownOf(
  name: string,
  { title, method }: BenchmarkPart,
  run: { machine: Machine; date: string; seconds: number; measurements: Measurement[] },
): string {
  const { cpu, cores, memoryGb, kernel, node, commit, diskSyncMs, loadBefore } = run.machine
  const rows = run.measurements.map((one) => [
    one.name,
    `${summary(one.runs)} ${one.unit}`,
    one.reference ? `${one.reference.name}: ${summary(one.reference.runs)}` : '',
    one.reference ? `${summary(ratiosOf(one))} x` : '',
    one.limit ?? '',
    one.withinLimit === undefined ? '' : one.withinLimit ? 'yes' : '**no**',
  ])
  return [
    `# ${title}`,
    '',
    `Measured ${run.date} by \`npm run bench -- ${name}\` in ${run.seconds} s. ${method}`,
    '',
    `${cpu}, ${cores} cores, ${memoryGb} GB, ${kernel}, Node ${node}. Commit ${commit}. Clients and servers on the same machine. A small write is synced to disk in ${diskSyncMs} ms; load average of one minute ${loadBefore} before and ${loadavg()[0]?.toFixed(2)} after.`,
    '',
    '| measured | median (range of the runs) | reference | ratio, pair by pair | limit | within limit |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ].join('\n')
}

/** Writes a result in place of the older one of its name. Returns its path, relative to the project's root. */
export function saveResult(name: string, markdown: string): string {
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true })
  writeFileSync(join(import.meta.dirname, 'results', `${name}.md`), markdown)
  return `bench/results/${name}.md`
}
