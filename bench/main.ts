/**
 * The benchmarks: npm run bench [-- PART ...] [-- --quick]. Each part replaces its older result in bench/results/; a quick
 * run only prints its result. Exits with 1 when a measurement is not within its limit. An error ends the run; the results of
 * earlier parts stay.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BenchmarkPart, describeMachine, lineOf, markdownOf, saveResult } from './results.ts'
import { events } from './events.ts'
import { guests } from './guests.ts'
import { latency, pipeline } from './pipeline.ts'
import { memory } from './memory.ts'
import { requests } from './requests.ts'

const parts: Record<string, BenchmarkPart> = { pipeline, latency, requests, guests, events, memory }

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const args = process.argv.slice(2)
const quick = args.includes('--quick')
const names = args.filter((arg) => !arg.startsWith('--'))
const unknown = names.filter((name) => !parts[name])
if (unknown.length) {
  print(`There is no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}

const missed: string[] = []
for (const [name, part] of Object.entries(parts).filter(([one]) => names.length === 0 || names.includes(one))) {
  print(`\n== ${name}: ${part.title}`)
  const machine = describeMachine(tmpdir())
  const scratchDir = mkdtempSync(join(tmpdir(), 'keepsnap-bench-'))
  const startedAt = performance.now()
  try {
    const measurements = await part.run({ scratchDir, quick, log: (line) => print(`   ${line}`) })
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    for (const one of measurements) print(lineOf(one))
    const date = new Date().toISOString()
    if (!quick) print(saveResult(name, markdownOf(name, part, { machine, date, seconds, measurements })))
    missed.push(
      ...measurements.filter(({ withinLimit }) => withinLimit === false).map((one) => `${name}: ${lineOf(one)}`),
    )
  } finally {
    rmSync(scratchDir, { recursive: true, force: true })
  }
}
print(missed.length ? `\nNot within the limits:\n  ${missed.join('\n  ')}` : '\nAll within their limits.')
// Not process.exitCode: kept-alive connections of the load would delay the exit.
process.exit(missed.length ? 1 : 0)
