import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { atMost, found, type Bench, type Finding, type Part } from '../measurement.ts'
import { guestsOf } from '../test-server.ts'
import { npmStart } from '../npm-start.ts'
import { sampleOf } from '../sample-photos.ts'
import { heldBy, programOf, type Held } from '../process-memory.ts'

const inFlight = 8
const lookMs = 100
const restMs = 40_000

interface Seen {
  fresh: Held
  /** The most at any one moment, each measure by itself. */
  busy: Held
  rested: Held
  processes: number
}

/** One life of the program: just started, at work on photos, and at rest again. */
async function watch(dir: string, { photos, kind }: { photos: number; kind: 'kept' | 'reencoded' }): Promise<Seen> {
  const program = await npmStart(dir)
  const house = guestsOf(program.address, join(dir, 'data'))
  await delay(3_000)
  const now = (): Held => heldBy(programOf(program.pid))
  const fresh = now()
  const guests = await house.guests(16)
  const photo = (await sampleOf('12 MP'))[kind]
  const busy = { rss: 0, pss: 0 }
  const looking = setInterval(() => {
    const { rss, pss } = now()
    busy.rss = Math.max(busy.rss, rss)
    busy.pss = Math.max(busy.pss, pss)
  }, lookMs)
  let left = photos
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (left-- > 0) {
        const guest = guests[left % guests.length]!
        await guest.screen.complete((await guest.send(photo)).photo.id)
      }
    }),
  )
  clearInterval(looking)
  await delay(restMs)
  const rested = now()
  const processes = programOf(program.pid).length
  await house.end()
  await program.stop()
  return { fresh, busy, rested, processes }
}

async function run({ scratch, quick, say }: Bench): Promise<Finding[]> {
  const seen: Record<'kept' | 'reencoded', Seen[]> = { kept: [], reencoded: [] }
  for (const kind of ['kept', 'reencoded'] as const) {
    const dir = join(scratch, kind)
    mkdirSync(dir)
    const life = await watch(dir, { photos: quick ? 40 : 120, kind })
    seen[kind].push(life)
    const words = (['fresh', 'busy', 'rested'] as const).map(
      (when) => `${when} ${life[when].rss.toFixed(0)} RSS, ${life[when].pss.toFixed(0)} PSS`,
    )
    say(`${kind}: ${words.join('; ')}; ${life.processes} processes`)
  }
  const all = [...seen.kept, ...seen.reencoded]
  const values = (of: Seen[], when: 'fresh' | 'busy' | 'rested', measure: keyof Held): number[] =>
    of.map((one) => one[when][measure])
  return [
    atMost(found('idle after the start, RSS', 'MB', values(all, 'fresh', 'rss')), 250),
    found('idle after the start, PSS', 'MB', values(all, 'fresh', 'pss')),
    atMost(found('idle after work, RSS', 'MB', values(all, 'rested', 'rss')), 250),
    found('idle after work, PSS', 'MB', values(all, 'rested', 'pss')),
    ...(['reencoded', 'kept'] as const).flatMap((kind) => {
      const words = `${inFlight} in flight at 12 MP, ${kind === 'kept' ? 'kept' : 're-encoded'}, at the most`
      return [
        atMost(found(`${words}, RSS`, 'MB', values(seen[kind], 'busy', 'rss')), 600),
        found(`${words}, PSS`, 'MB', values(seen[kind], 'busy', 'pss')),
      ]
    }),
  ]
}

export const memory: Part = {
  name: 'memory',
  title: 'Memory of the program and its image processes',
  how:
    'The program as npm start runs it, and all processes below it but PostgreSQL. RSS counts pages that processes share once for each, PSS once in all; ' +
    `the limits are held against RSS. Looked at every ${lookMs} ms under load, and ${restMs / 1000} s after it.`,
  run,
}
