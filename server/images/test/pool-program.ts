/** A program with image processes, to be killed: prints their process ids when the given fault has begun. */
import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { createImagePool } from '../sandbox/image-pool.ts'
import { poison } from './poison.ts'

const [dir = '', fault = 'none'] = process.argv.slice(2)
const pool = await createImagePool({
  scratchDir: join(dir, 'scratch'),
  size: 2,
  maxMegapixels: 1,
  log: pino({ level: 'silent' }),
  entry: join(import.meta.dirname, 'poison-process.ts'),
})
const printPids = (): void => writeFileSync(1, `${JSON.stringify(pool.pids())}\n`)
if (fault === 'none') printPids()
else {
  const renderPoison = () =>
    pool.renderPhoto({ writeInput: (path) => writeFile(path, poison('after-thumbnail', fault)) })
  const jobs = await Promise.all([renderPoison(), renderPoison()])
  await Promise.all(jobs.map(({ thumbnail }) => thumbnail))
  printPids()
  await Promise.allSettled(jobs.map(({ result }) => result))
}
setInterval(() => {}, 60_000)
