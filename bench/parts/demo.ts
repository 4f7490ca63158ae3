import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { atMost, measured, type BenchOptions, type BenchmarkPart, type Measurement } from '../measurement.ts'
import { npmStart } from '../npm-start.ts'

const root = join(import.meta.dirname, '../..')

/** Fills the empty instance of a running server; how long that takes, in seconds. */
async function filledInSeconds(folder: string): Promise<number> {
  const program = await npmStart(folder)
  const startedAt = performance.now()
  try {
    await promisify(execFile)(process.execPath, ['server/main.ts', 'demo'], {
      cwd: root,
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(folder, 'data'), PUBLIC_URL: program.address },
    })
    return (performance.now() - startedAt) / 1000
  } finally {
    await program.stop()
  }
}

async function runDemo({ scratchDir, quick, log }: BenchOptions): Promise<Measurement[]> {
  const seconds: number[] = []
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    seconds.push(await filledInSeconds(join(scratchDir, String(round))))
    log(`filled in ${seconds.at(-1)?.toFixed(1)} s`)
  }
  return [atMost(measured('the command demo beside a running server', 's', seconds), 45)]
}

export const demo: BenchmarkPart = {
  name: 'demo',
  title: 'Filling an empty instance',
  method:
    'From the start of the command demo to its end: 69 photos are drawn, uploaded and processed, and weeks of guest activity are inserted. Each round has a new data folder and a running server.',
  run: runDemo,
}
