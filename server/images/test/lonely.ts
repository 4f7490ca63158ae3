/** A program with image processes, about to be killed: prints their numbers once they are at the deed it was given. */
import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { createImagePool } from '../pool.ts'

const [dir = '', deed = 'idle'] = process.argv.slice(2)
const pool = await createImagePool({
  scratchDir: join(dir, 'scratch'),
  size: 2,
  maxMegapixels: 1,
  log: pino({ level: 'silent' }),
  entry: join(import.meta.dirname, 'poison-child.ts'),
})
const say = (): void => writeFileSync(1, `${JSON.stringify(pool.pids())}\n`)
if (deed === 'idle') say()
else {
  // The thumbnail that comes first says that they have begun.
  let begun = 0
  const job = () =>
    pool.render({
      place: (path) => writeFile(path, `POISON begin ${deed}`),
      onThumbnail: () => void (++begun === 2 && say()),
      take: async () => {},
    })
  await Promise.allSettled([job(), job()])
}
setInterval(() => {}, 60_000)
