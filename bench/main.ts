/**
 * The benchmarks: npm run bench [-- PART ...] [-- --quick]. Each part replaces its older result in bench/results/; a quick
 * run only prints its result. Exits with 1 when a measurement is not within its limit. An error ends the run; the results of
 * earlier parts stay.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireWrk } from './http-load.ts'
import { describeMachine } from './machine.ts'
import type { BenchmarkPart } from './measurement.ts'
import { api } from './parts/api.ts'
import { backup } from './parts/backup.ts'
import { bus } from './parts/bus.ts'
import { costs } from './parts/costs.ts'
import { demo } from './parts/demo.ts'
import { fairness } from './parts/fairness.ts'
import { fanout } from './parts/fanout.ts'
import { guests } from './parts/guests.ts'
import { latency } from './parts/latency.ts'
import { memory } from './parts/memory.ts'
import { payments } from './parts/payments.ts'
import { pipeline } from './parts/pipeline.ts'
import { requests } from './parts/requests.ts'
import { saturation } from './parts/saturation.ts'
import { start } from './parts/start.ts'
import { strangers } from './parts/strangers.ts'
import { loadAverage, markdownOf, missedLimits, saveResult, type PartResult } from './results.ts'

const benchmarkParts: BenchmarkPart[] = [
  pipeline,
  latency,
  requests,
  api,
  payments,
  guests,
  fanout,
  bus,
  saturation,
  fairness,
  start,
  backup,
  demo,
  memory,
  strangers,
  costs,
]

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const args = process.argv.slice(2)
const quick = args.includes('--quick')
const requestedParts = args.filter((arg) => !arg.startsWith('--'))
const unknownParts = requestedParts.filter((name) => !benchmarkParts.some((part) => part.name === name))
if (unknownParts.length) {
  print(`There is no part ${unknownParts.join(', ')}; there are ${benchmarkParts.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

async function runPart({ name, title, method, run }: BenchmarkPart): Promise<PartResult> {
  const machine = describeMachine(tmpdir())
  const scratchDir = mkdtempSync(join(tmpdir(), 'keepsnap-bench-'))
  const startedAt = performance.now()
  print(`\n== ${name}: ${title}`)
  try {
    const measurements = await run({ scratchDir, quick, log: (line) => print(`   ${line}`) })
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    print(`== ${name}: ${seconds} s`)
    const date = new Date().toISOString()
    return { name, title, method, date, machine, quick, measurements, seconds, loadAfter: loadAverage() }
  } finally {
    rmSync(scratchDir, { recursive: true, force: true })
  }
}

const selectedParts = benchmarkParts.filter(({ name }) => requestedParts.length === 0 || requestedParts.includes(name))
if ([requests, api, payments, strangers].some((part) => selectedParts.includes(part))) requireWrk()
const missedLimitTexts: string[] = []
for (const part of selectedParts) {
  const result = await runPart(part)
  missedLimitTexts.push(...missedLimits(result).map((text) => `${part.name}: ${text}`))
  print(quick ? `\n${markdownOf(result)}` : saveResult(result).join('\n'))
}
print(
  missedLimitTexts.length
    ? `\nNot within the limits:\n  ${missedLimitTexts.join('\n  ')}`
    : '\nAll within their limits.',
)
// Not process.exitCode: kept-alive connections of the load would delay the exit.
process.exit(missedLimitTexts.length ? 1 : 0)
