import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { runConcurrently } from '../concurrency.ts'
import { atMost, measured, type BenchOptions, type Measurement, type BenchmarkPart } from '../measurement.ts'
import { npmStart } from '../npm-start.ts'
import { processMemory, processTree, type MemoryUse } from '../process-memory.ts'
import { roundRobin } from '../round-robin.ts'
import { sampleOf } from '../sample-photos.ts'
import { userFactory, type UserFactory } from '../test-server.ts'

const inFlight = 8
const sampleIntervalMs = 100
const settleMs = 3_000
const restMs = 40_000

type SampleKind = 'kept' | 'reencoded'

interface Observation {
  afterStart: MemoryUse
  /** The maximum of each measure; they may be from different moments. */
  peak: MemoryUse
  afterWork: MemoryUse
  processes: number
}

interface UploadWork {
  kind: SampleKind
  photos: number
}

async function peakDuring(measure: () => MemoryUse, work: Promise<unknown>): Promise<MemoryUse> {
  const peak = { rss: 0, pss: 0 }
  const memorySampleTimer = setInterval(() => {
    const { rss, pss } = measure()
    peak.rss = Math.max(peak.rss, rss)
    peak.pss = Math.max(peak.pss, pss)
  }, sampleIntervalMs)
  await work
  clearInterval(memorySampleTimer)
  return peak
}

async function uploadPhotos(users: UserFactory, { kind, photos }: UploadWork): Promise<void> {
  const nextUser = roundRobin(await users.createUsers(16))
  const photo = (await sampleOf('12 MP'))[kind]
  await runConcurrently(photos, inFlight, () => nextUser().addPhoto(photo))
}

/** Measures one run of the program: just started, under load, and idle again. */
async function observe(dir: string, work: UploadWork): Promise<Observation> {
  const program = await npmStart(dir)
  const users = userFactory(program.address, join(dir, 'data'))
  const measure = (): MemoryUse => processMemory(processTree(program.pid))
  await wait(settleMs)
  const afterStart = measure()
  const peak = await peakDuring(measure, uploadPhotos(users, work))
  await wait(restMs)
  const afterWork = measure()
  const processes = processTree(program.pid).length
  await users.close()
  await program.stop()
  return { afterStart, peak, afterWork, processes }
}

async function runMemory({ scratchDir, quick, log }: BenchOptions): Promise<Measurement[]> {
  const observeKind = async (kind: SampleKind): Promise<Observation> => {
    const dir = join(scratchDir, kind)
    mkdirSync(dir)
    const observation = await observe(dir, { photos: quick ? 40 : 120, kind })
    const texts = (['afterStart', 'peak', 'afterWork'] as const).map(
      (when) => `${when} ${observation[when].rss.toFixed(0)} RSS, ${observation[when].pss.toFixed(0)} PSS`,
    )
    log(`${kind}: ${texts.join('; ')}; ${observation.processes} processes`)
    return observation
  }
  const kept = await observeKind('kept')
  const reencoded = await observeKind('reencoded')
  const both = [kept, reencoded]
  const idle = (name: string, when: 'afterStart' | 'afterWork'): Measurement[] => [
    atMost(
      measured(
        `idle ${name}, RSS`,
        'MB',
        both.map((one) => one[when].rss),
      ),
      250,
    ),
    measured(
      `idle ${name}, PSS`,
      'MB',
      both.map((one) => one[when].pss),
    ),
  ]
  const busy = (name: string, { peak }: Observation): Measurement[] => [
    atMost(measured(`${inFlight} in flight at 12 MP, ${name}, peak RSS`, 'MB', [peak.rss]), 600),
    measured(`${inFlight} in flight at 12 MP, ${name}, peak PSS`, 'MB', [peak.pss]),
  ]
  return [
    ...idle('after the start', 'afterStart'),
    ...idle('after work', 'afterWork'),
    ...busy('re-encoded', reencoded),
    ...busy('kept', kept),
  ]
}

export const memory: BenchmarkPart = {
  name: 'memory',
  title: 'Memory of the program and its image processes',
  method:
    'The program as npm start runs it, and all its descendants except PostgreSQL. RSS counts a page that processes share once for each of them, PSS counts it once; ' +
    `the limits are about RSS. Sampled every ${sampleIntervalMs} ms under load, and once ${restMs / 1000} s after it.`,
  run: runMemory,
}
