import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, measured, type BenchOptions, type Measurement, type BenchmarkPart } from '../measurement.ts'
import { npmStart } from '../npm-start.ts'

async function readyMs(dir: string): Promise<number> {
  const program = await npmStart(dir)
  await program.stop()
  return program.readyMs
}

async function runStart({ scratchDir, quick, log }: BenchOptions): Promise<Measurement[]> {
  const first: number[] = []
  const second: number[] = []
  for (let round = 0; round < (quick ? 2 : 5); round++) {
    const dir = join(scratchDir, String(round))
    mkdirSync(dir)
    const firstMs = await readyMs(dir)
    const secondMs = await readyMs(dir)
    first.push(firstMs)
    second.push(secondMs)
    log(`first ${firstMs.toFixed(0)} ms, second ${secondMs.toFixed(0)} ms`)
  }
  return [
    measured('first npm start of a data folder: database created, migrated, ready', 'ms', first),
    atMost(measured('second npm start', 'ms', second), 3000),
  ]
}

export const start: BenchmarkPart = {
  name: 'start',
  title: 'From npm start to ready',
  method:
    'From the command to the first successful response of /ready, with packages installed and the web app built; includes the time of npm itself. Each round has a new data folder and is started twice.',
  run: runStart,
}
