/** The benches: npm run bench [-- PART ...] [-- --quick]. Leaves dated results in bench/results/. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Part } from './measurement.ts'
import { loadTool } from './http-load.ts'
import { describeMachine } from './machine.ts'
import { busy } from './parts/saturation.ts'
import { fanout } from './parts/fanout.ts'
import { guests } from './parts/guests.ts'
import { memory } from './parts/memory.ts'
import { pipeline } from './parts/pipeline.ts'
import { requests } from './parts/requests.ts'
import { shutter } from './parts/latency.ts'
import { start } from './parts/start.ts'
import { saveResults, type PartResult } from './results.ts'

const parts: Part[] = [pipeline, shutter, requests, guests, fanout, busy, start, memory]

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const words = process.argv.slice(2)
const quick = words.includes('--quick')
const names = words.filter((word) => !word.startsWith('--'))
const unknown = names.filter((name) => !parts.some((part) => part.name === name))
if (unknown.length) {
  say(`There is no part ${unknown.join(', ')}; there are ${parts.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

async function runPart(part: Part): Promise<PartResult> {
  const scratch = mkdtempSync(join(tmpdir(), 'keepsnap-bench-'))
  const began = performance.now()
  say(`\n== ${part.name}: ${part.title}`)
  try {
    const findings = await part.run({ scratch, quick, say: (line) => say(`   ${line}`) })
    const seconds = Math.round((performance.now() - began) / 1000)
    say(`== ${part.name}: ${seconds} s`)
    return { ...part, findings, seconds }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const machine = describeMachine(tmpdir(), loadTool())
const results: PartResult[] = []
for (const part of parts.filter(({ name }) => names.length === 0 || names.includes(name)))
  results.push(await runPart(part))
const { path, missed } = saveResults({ machine, quick, parts: results })
say(`\n${path}${missed.length ? `\nNot within its limit:\n  ${missed.join('\n  ')}` : '\nAll within their limits.'}`)
process.exit(0)
