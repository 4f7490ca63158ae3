/** A program with two image processes, to be killed: prints their process ids when one waits and the other loops. */
import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { createImagePool } from '../sandbox/image-pool.ts'
import { poison } from './poison.ts'

const [dir = ''] = process.argv.slice(2)
const pool = await createImagePool({
  scratchDir: join(dir, 'scratch'),
  size: 2,
  maxMegapixels: 1,
  log: pino({ level: 'silent' }),
  entry: join(import.meta.dirname, 'poison-process.ts'),
})
const jobs = await Promise.all(
  ['hang', 'loop'].map((fault) =>
    pool.renderPhoto({ writeInput: (path) => writeFile(path, poison('after-thumbnail', fault)) }),
  ),
)
await Promise.all(jobs.map(({ thumbnail }) => thumbnail))
writeFileSync(1, `${JSON.stringify(pool.pids())}\n`)
await Promise.allSettled(jobs.map(({ result }) => result))
