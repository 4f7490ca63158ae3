import { mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, relative } from 'node:path'
import type { Finding, Part } from './measurement.ts'
import type { Machine } from './machine.ts'
import type { Spread } from './statistics.ts'

export interface PartResult extends Pick<Part, 'name' | 'title' | 'how'> {
  findings: Finding[]
  seconds: number
}

export interface Results {
  machine: Machine
  quick: boolean
  parts: PartResult[]
}

const folder = join(import.meta.dirname, 'results')

const spread = ({ median, low, high, runs }: Spread): string =>
  runs.length > 1 ? `${median} (${low} to ${high})` : String(median)

const row = ({ what, unit, ours, beside, ratio, limit, holds }: Finding): string =>
  `| ${what} | ${spread(ours)} ${unit} | ${beside ? `${beside.name}: ${spread(beside.values)}` : ''} | ${ratio ? `${spread(ratio)} x` : ''} | ${limit ?? ''} | ${holds === undefined ? '' : holds ? 'yes' : '**no**'} |`

function markdown({ machine, quick, parts }: Results, date: string): string {
  const versions = Object.entries(machine.versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')
  return [
    `# Measured ${date}`,
    '',
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.kernel}, Node ${machine.node}; ${versions}. Commit ${machine.commit}.`,
    `A small write reaches the disk in ${machine.diskSyncMs} ms; load average of a minute ${machine.loadBefore} before and ${loadavg()[0]!.toFixed(2)} after; load from ${machine.loadTool}, senders and servers on the same machine.`,
    ...(quick ? ['', 'A quick run: few rounds, for trying things out.'] : []),
    ...parts.flatMap(({ title, how, findings, seconds }) => [
      '',
      `## ${title}`,
      '',
      `${how} (${seconds} s)`,
      '',
      '| what | median (range of the runs) | beside | ratio, pair by pair | limit | kept |',
      '| --- | --- | --- | --- | --- | --- |',
      ...findings.map(row),
    ]),
    '',
  ].join('\n')
}

/** Writes the results as JSON and for people; answers where, and what did not keep its limit. */
export function saveResults(results: Results): { path: string; missed: string[] } {
  mkdirSync(folder, { recursive: true })
  const date = new Date().toISOString()
  const names = results.parts.map(({ name }) => name)
  const stem = `${date.slice(0, 16).replace(/[T:]/g, '-')}${names.length > 1 ? '' : `-${names[0]}`}${results.quick ? '-quick' : ''}`
  const path = join(folder, stem)
  writeFileSync(`${path}.json`, `${JSON.stringify({ date, loadAfter: loadavg()[0], ...results }, null, 1)}\n`)
  writeFileSync(`${path}.md`, markdown(results, date))
  const missed = results.parts.flatMap(({ findings }) =>
    findings
      .filter(({ holds }) => holds === false)
      .map(({ what, limit, ours, ratio, unit }) => {
        const measured = ratio ? `${ours.median} ${unit}, ${ratio.median} x` : `${ours.median} ${unit}`
        return `${what}: ${measured}, limit ${limit}`
      }),
  )
  return { path: `${relative(process.cwd(), path)}.md`, missed }
}
