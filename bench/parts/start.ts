import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, found, type Bench, type Finding, type Part } from '../measurement.ts'
import { npmStart } from '../npm-start.ts'

async function run({ scratch, quick, say }: Bench): Promise<Finding[]> {
  const first: number[] = []
  const second: number[] = []
  for (let round = 0; round < (quick ? 2 : 5); round++) {
    const dir = join(scratch, String(round))
    mkdirSync(dir)
    for (const times of [first, second]) {
      const program = await npmStart(dir)
      times.push(program.readyMs)
      await program.stop()
    }
    say(`first ${first.at(-1)!.toFixed(0)} ms, second ${second.at(-1)!.toFixed(0)} ms`)
  }
  return [
    found('first npm start of a data folder: database made, migrated, ready', 'ms', first),
    atMost(found('second npm start', 'ms', second), 3000),
  ]
}

export const start: Part = {
  name: 'start',
  title: 'From npm start to ready',
  how: 'From the command to the first good answer of /ready, packages installed and web app built; npm’s own time is in it. Each round has a new data folder and is started twice.',
  run,
}
