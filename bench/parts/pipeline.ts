import { baselineText, startImageBaseline } from '../baseline/start-baseline.ts'
import { runConcurrently } from '../concurrency.ts'
import {
  comparedWith,
  measured,
  ratioAtLeast,
  type BenchOptions,
  type ComparedMeasurement,
  type BenchmarkPart,
} from '../measurement.ts'
import { roundRobin } from '../round-robin.ts'
import { sampleOf, type PhotoSize } from '../sample-photos.ts'
import { startTestServer } from '../test-server.ts'
import { uploadTimed } from '../timed-upload.ts'

/** Uploads one photo and resolves when all of its files exist. */
type ProcessPhoto = (photo: Buffer) => Promise<unknown>

interface Subjects {
  product: ProcessPhoto
  baseline: ProcessPhoto
  light: ProcessPhoto
  thumbnailOnly: ProcessPhoto
}

interface UploadLoad {
  size: PhotoSize
  photos: number
  inFlight: number
  rounds: number
}

interface Rates {
  baseline: number[]
  kept: number[]
  thumbnailOnly: number[]
  light: number[]
  reencoded: number[]
}

const inFlightCounts = [1, 4, 8]

/** How many times faster than the baseline the product must be where it keeps the pixels. */
const leastKeptRatio = (size: PhotoSize, inFlight: number): number =>
  size === '24 MP' ? 2.7 : inFlight === 1 ? 2 : 2.2
const leastReencodedRatio = 0.9

/** Photos per second. */
async function measureUploadRate(
  process: ProcessPhoto,
  photo: Buffer,
  { photos, inFlight }: Pick<UploadLoad, 'photos' | 'inFlight'>,
) {
  const startedAt = performance.now()
  await runConcurrently(photos, inFlight, () => process(photo))
  return photos / ((performance.now() - startedAt) / 1000)
}

/** Each round measures all subjects, one after the other, so that a disturbance of the machine affects all alike. */
async function measureRates(subjects: Subjects, load: UploadLoad): Promise<Rates> {
  const { kept, reencoded } = await sampleOf(load.size)
  const rates: Rates = { baseline: [], kept: [], thumbnailOnly: [], light: [], reencoded: [] }
  for (let round = 0; round < load.rounds; round++) {
    rates.baseline.push(await measureUploadRate(subjects.baseline, kept, load))
    rates.kept.push(await measureUploadRate(subjects.product, kept, load))
    rates.thumbnailOnly.push(await measureUploadRate(subjects.thumbnailOnly, kept, load))
    rates.light.push(await measureUploadRate(subjects.light, reencoded, load))
    rates.reencoded.push(await measureUploadRate(subjects.product, reencoded, load))
  }
  return rates
}

function measurementsOf({ size, inFlight }: UploadLoad, rates: Rates): ComparedMeasurement[] {
  const compare = (name: string, values: number[], reference: { name: string; values: number[] }) =>
    comparedWith(measured(`${size}, ${inFlight} in flight, ${name}`, 'photos/s', values), reference)
  const baseline = { name: 'baseline', values: rates.baseline }
  const light = { name: 'light baseline', values: rates.light }
  const thumbnailOnly = { name: 'thumbnail-only baseline', values: rates.thumbnailOnly }
  return [
    ratioAtLeast(compare('kept', rates.kept, baseline), leastKeptRatio(size, inFlight)),
    ratioAtLeast(compare('re-encoded', rates.reencoded, baseline), leastReencodedRatio),
    compare('re-encoded, against the light baseline', rates.reencoded, light),
    compare('kept, against the thumbnail-only baseline', rates.kept, thumbnailOnly),
    compare('the thumbnail-only baseline itself', rates.thumbnailOnly, baseline),
  ]
}

async function runPipeline({ scratchDir, quick, log }: BenchOptions): Promise<ComparedMeasurement[]> {
  const server = await startTestServer(scratchDir)
  const baseline = await startImageBaseline(scratchDir, 'default')
  const light = await startImageBaseline(scratchDir, 'light')
  const thumbnailOnly = await startImageBaseline(scratchDir, 'thumbnail-only')
  // Every photo by another user, so that no rate limit is reached.
  const nextUser = roundRobin(await server.createUsers(40))
  const subjects: Subjects = {
    product: (photo) => nextUser().addPhoto(photo),
    baseline: (photo) => uploadTimed(baseline.address, photo),
    light: (photo) => uploadTimed(light.address, photo),
    thumbnailOnly: (photo) => uploadTimed(thumbnailOnly.address, photo),
  }
  const warmUp = (await sampleOf('12 MP')).reencoded
  for (const subject of Object.values(subjects)) await measureUploadRate(subject, warmUp, { photos: 6, inFlight: 3 })
  const results: ComparedMeasurement[] = []
  for (const size of ['12 MP', '24 MP'] as const) {
    for (const inFlight of inFlightCounts) {
      const photos = Math.max((size === '12 MP' ? 24 : 12) / (quick ? 2 : 1), inFlight * 2)
      const load: UploadLoad = { size, photos, inFlight, rounds: quick ? 2 : 3 }
      const measurements = measurementsOf(load, await measureRates(subjects, load))
      for (const { name, values, ratio, reference } of measurements)
        log(`${name}: ${values.median} (${ratio.median} x ${reference.name})`)
      results.push(...measurements)
    }
  }
  await Promise.all([server, baseline, light, thumbnailOnly].map((subject) => subject.stop()))
  return results
}

export const pipeline: BenchmarkPart = {
  name: 'pipeline',
  title: 'Photos through upload, processing and push',
  method:
    'Each photo is uploaded over HTTP and counts when a photo_update on its owner’s socket says that it is complete; for a baseline, when it has responded. ' +
    'Each round measures the baseline, the product (kept), the thumbnail-only baseline, the light baseline and the product (re-encoded), one after the other. ' +
    baselineText,
  run: runPipeline,
}
