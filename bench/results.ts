import { execFileSync } from 'node:child_process'
import { closeSync, fdatasyncSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'

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

export const atMost = (one: Measurement, most: number, limit = `<= ${most} ${one.unit}`): Measurement => ({
  ...one,
  limit,
  withinLimit: median(one.runs) <= most,
})

export const atLeast = (one: Measurement, least: number): Measurement => ({
  ...one,
  limit: `>= ${least} ${one.unit}`,
  withinLimit: median(one.runs) >= least,
})

export function ratioAtLeast(one: Measurement, reference: { name: string; runs: number[] }, least: number) {
  const compared: Measurement = { ...one, reference, limit: `>= ${least} x ${reference.name}` }
  return { ...compared, withinLimit: median(ratiosOf(compared)) >= least }
}

export function ratioAtMost(one: Measurement, reference: { name: string; runs: number[] }, most: number): Measurement {
  const compared: Measurement = { ...one, reference, limit: `<= ${most} x ${reference.name}` }
  return { ...compared, withinLimit: median(ratiosOf(compared)) <= most }
}

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

export const lineOf = (one: Measurement): string =>
  `${one.name}: ${summary(one.runs)} ${one.unit}` +
  (one.reference ? `, ${summary(ratiosOf(one))} x ${one.reference.name}` : '') +
  (one.limit ? `; limit ${one.limit}` : '')

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

interface Machine {
  cpu: string
  cores: number
  memoryGb: number
  kernel: string
  node: string
  commit: string
  /** Milliseconds to write 4 KB and sync it to disk, median. */
  diskSyncMs: number
  /** Load average of one minute before measuring. */
  loadBefore: number
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

function commitOf(): string {
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', '../server', '../contract', '*.ts')
    return git('rev-parse', '--short=12', 'HEAD') + (changed ? ', with changes' : '')
  } catch {
    return 'unknown'
  }
}

export function describeMachine(dir: string): Machine {
  const [loadBefore = 0] = loadavg()
  const path = join(dir, 'sync')
  const file = openSync(path, 'w')
  const syncTimes = Array.from({ length: 25 }, () => {
    writeSync(file, 'x'.repeat(4096))
    const startedAt = performance.now()
    fdatasyncSync(file)
    return performance.now() - startedAt
  })
  closeSync(file)
  rmSync(path)
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1e9),
    kernel: `${type()} ${release()}`,
    node: process.version,
    commit: commitOf(),
    diskSyncMs: Number(syncTimes.toSorted((a, b) => a - b)[12]!.toFixed(2)),
    loadBefore: Number(loadBefore.toFixed(2)),
  }
}
