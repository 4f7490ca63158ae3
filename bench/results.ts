import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { Machine } from './machine.ts'
import type { Measurement, BenchmarkPart } from './measurement.ts'
import type { Summary } from './statistics.ts'

export interface PartResult extends Pick<BenchmarkPart, 'name' | 'title' | 'method'> {
  machine: Machine
  /** ISO 8601. */
  date: string
  quick: boolean
  measurements: Measurement[]
  seconds: number
  loadAfter: number
}

const resultsFolder = join(import.meta.dirname, 'results')

export const loadAverage = (): number => Number((loadavg()[0] ?? 0).toFixed(2))

const summaryText = ({ median, min, max, runs }: Summary): string =>
  runs.length > 1 ? `${median} (${min} to ${max})` : String(median)

function markdownRow({ name, unit, values, reference, ratio, limit, withinLimit }: Measurement): string {
  const cells = [
    name,
    `${summaryText(values)} ${unit}`,
    reference ? `${reference.name}: ${summaryText(reference.values)}` : '',
    ratio ? `${summaryText(ratio)} x` : '',
    limit ?? '',
    withinLimit === undefined ? '' : withinLimit ? 'yes' : '**no**',
  ]
  return `| ${cells.join(' | ')} |`
}

/** The result as Markdown. */
export function markdownOf({ machine, quick, loadAfter, ...part }: PartResult): string {
  const versions = Object.entries(machine.versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')
  return [
    `# ${part.title}`,
    '',
    `Measured ${part.date} by \`npm run bench -- ${part.name}\`.`,
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.kernel}, Node ${machine.node}; ${versions}. Commit ${machine.commit}.`,
    `A small write is synced to disk in ${machine.diskSyncMs} ms; load average of one minute ${machine.loadBefore.toFixed(2)} before and ${loadAfter.toFixed(2)} after; clients and servers on the same machine.`,
    ...(quick ? ['', 'A quick run with few rounds, to check that the benchmark works.'] : []),
    '',
    `${part.method} (${part.seconds} s)`,
    '',
    '| measured | median (range of the runs) | reference | ratio, pair by pair | limit | within limit |',
    '| --- | --- | --- | --- | --- | --- |',
    ...part.measurements.map(markdownRow),
    '',
  ].join('\n')
}

/** The measurements that are not within their limit, as sentences. */
export const missedLimits = ({ measurements }: PartResult): string[] =>
  measurements
    .filter(({ withinLimit }) => withinLimit === false)
    .map(({ name, limit, values, ratio, unit }) => {
      const value = ratio ? `${values.median} ${unit}, ${ratio.median} x` : `${values.median} ${unit}`
      return `${name}: ${value}, limit ${limit}`
    })

/**
 * Writes the files of a result, one for each file extension, and deletes the older ones of the same name.
 * Returns their paths, relative to the project's root.
 */
export function replaceResult(
  { name, date }: { name: string; date: string },
  contentByExtension: Record<string, string>,
): string[] {
  mkdirSync(resultsFolder, { recursive: true })
  const resultFileName = /^[-\d]{16}-(?<name>.+)\.(?:json|md)$/
  for (const file of readdirSync(resultsFolder))
    if (resultFileName.exec(file)?.groups?.['name'] === name) rmSync(join(resultsFolder, file))
  const fileStem = `${date.slice(0, 16).replace(/[T:]/g, '-')}-${name}`
  return Object.entries(contentByExtension).map(([extension, content]) => {
    writeFileSync(join(resultsFolder, `${fileStem}.${extension}`), content)
    return `bench/results/${fileStem}.${extension}`
  })
}

/** Writes a result as JSON and Markdown in place of the older one of its part. Returns the paths of the files. */
export const saveResult = (result: PartResult): string[] =>
  replaceResult(result, { json: `${JSON.stringify(result, null, 1)}\n`, md: markdownOf(result) })
