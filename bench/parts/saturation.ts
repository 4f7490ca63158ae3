import { setTimeout as wait } from 'node:timers/promises'
import {
  atMost,
  comparedWith,
  measured,
  ratioAtMost,
  type BenchOptions,
  type Measurement,
  type BenchmarkPart,
} from '../measurement.ts'
import { roundRobin } from '../round-robin.ts'
import { sampleOf, smallPhoto } from '../sample-photos.ts'
import { quantile } from '../statistics.ts'
import { startTestServer, type TestUser } from '../test-server.ts'
import { callsPerSecond, timeCalls, timeCallsFor } from '../timed-calls.ts'

const queuedPhotos = 48
/** With fewer photos than this the image processes may become idle, so measuring ends. */
const leastQueued = 6
const listedPhotos = 20
const mostUploads = 25

interface Saturation {
  nextUploader(): TestUser
  photo: Buffer
}

/** Measures while photos wait for the image processes. `isOver` becomes true before the queue is empty. */
async function whileSaturated(
  { nextUploader, photo }: Saturation,
  measure: (isOver: () => boolean, upload: () => Promise<number>) => Promise<number[]>,
): Promise<number[]> {
  const waiting = new Set<string>()
  /** Milliseconds from the last byte to the response. */
  const upload = async (): Promise<number> => {
    const user = nextUploader()
    const { lastByteAt, respondedAt, photo: uploaded } = await user.uploadTimed(photo)
    waiting.add(uploaded.id)
    void user.live.waitForCompletion(uploaded.id).then(() => waiting.delete(uploaded.id))
    return respondedAt - lastByteAt
  }
  for (let uploads = 0; uploads < queuedPhotos; uploads += 4)
    await Promise.all([upload(), upload(), upload(), upload()])
  const times = await measure(() => waiting.size < leastQueued, upload)
  while (waiting.size > 0) await wait(50)
  return times
}

async function timeUploads(isOver: () => boolean, upload: () => Promise<number>): Promise<number[]> {
  const times: number[] = []
  while (times.length < mostUploads && !isOver()) {
    times.push(await upload())
    await wait(200)
  }
  return times
}

async function runSaturation({ scratchDir, quick, log }: BenchOptions): Promise<Measurement[]> {
  const server = await startTestServer(scratchDir)
  const caller = await server.createUser()
  const saturation: Saturation = {
    nextUploader: roundRobin(await server.createUsers(32)),
    photo: (await sampleOf('12 MP')).reencoded,
  }
  for (let photo = 0; photo < listedPhotos; photo++) await caller.addPhoto(await smallPhoto())
  /** The first page of photos, and the newest one. */
  const calls = { user: caller, paths: [`/photos?limit=${listedPhotos}`, '/photos/latest'] }
  const warmUpMs = 3_000
  await timeCallsFor(calls, warmUpMs)
  const idle: number[][] = []
  const saturated: number[][] = []
  const uploads: number[] = []
  for (let round = 0; round < (quick ? 2 : 4); round++) {
    idle.push(await timeCallsFor(calls, 5_000))
    saturated.push(await whileSaturated(saturation, (isOver) => timeCalls(calls, isOver)))
    if (round < 2) uploads.push(...(await whileSaturated(saturation, timeUploads)))
  }
  await server.stop()
  const quantiles = (rounds: number[][], share: number): number[] => rounds.map((times) => quantile(times, share))
  const uploadName = `12 MP upload into the queue, from last byte to response, p50 of ${uploads.length}`
  const results = [
    measured('API calls, idle, p50', 'ms', quantiles(idle, 0.5)),
    measured('API calls, image processes saturated, p50', 'ms', quantiles(saturated, 0.5)),
    ratioAtMost(
      comparedWith(measured('API calls, image processes saturated, p99', 'ms', quantiles(saturated, 0.99)), {
        name: 'idle',
        values: quantiles(idle, 0.99),
      }),
      2,
    ),
    atMost(measured(uploadName, 'ms', [quantile(uploads, 0.5)]), 50),
    measured('the same, p95', 'ms', [quantile(uploads, 0.95)]),
  ]
  for (const { name, values } of results) log(`${name}: ${values.median} ms`)
  return results
}

export const saturation: BenchmarkPart = {
  name: 'saturation',
  title: 'The API while the image processes are saturated',
  method:
    `${callsPerSecond} calls per second at a constant rate (GET /photos?limit=${listedPhotos} and /photos/latest alternately), for some seconds on an idle server and then while a queue of ` +
    '12 MP photos is re-encoded, several times. Uploads into such a queue are measured separately, one at a time.',
  run: runSaturation,
}
