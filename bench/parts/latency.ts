import { baselineText, startImageBaseline } from '../baseline/start-baseline.ts'
import { atMost, measured, type BenchOptions, type Measurement, type BenchmarkPart } from '../measurement.ts'
import { roundRobin } from '../round-robin.ts'
import { sampleOf, type SamplePhoto, type PhotoSize } from '../sample-photos.ts'
import { median, quantile, summarize } from '../statistics.ts'
import { startTestServer, type TestUser } from '../test-server.ts'
import { uploadTimed } from '../timed-upload.ts'

/** Milliseconds after the client had sent the last byte. */
interface Latencies {
  response: number
  thumbnail: number
  complete: number
}

async function measureProduct(user: TestUser, photo: Buffer): Promise<Latencies> {
  const upload = await user.uploadTimed(photo)
  const updates = await user.live.waitForCompletion(upload.photo.id)
  return {
    response: upload.respondedAt - upload.lastByteAt,
    thumbnail: updates.thumbnailAt - upload.lastByteAt,
    complete: updates.completeAt - upload.lastByteAt,
  }
}

async function measureBaseline(address: string, photo: Buffer): Promise<number> {
  const { respondedAt, lastByteAt } = await uploadTimed(address, photo)
  return respondedAt - lastByteAt
}

interface Subjects {
  nextUser(): TestUser
  /** Address of the baseline. */
  baseline: string
  /** Address of the light baseline. */
  light: string
}

interface Samples {
  baseline: number[]
  light: number[]
  kept: Latencies[]
  reencoded: Latencies[]
}

/** One photo at a time, each subject after the other, so that a disturbance of the machine affects all alike. */
async function measureLatencies(subjects: Subjects, sample: SamplePhoto, photos: number): Promise<Samples> {
  const samples: Samples = { baseline: [], light: [], kept: [], reencoded: [] }
  for (let photo = 0; photo < photos; photo++) {
    samples.baseline.push(await measureBaseline(subjects.baseline, sample.kept))
    samples.kept.push(await measureProduct(subjects.nextUser(), sample.kept))
    samples.light.push(await measureBaseline(subjects.light, sample.reencoded))
    samples.reencoded.push(await measureProduct(subjects.nextUser(), sample.reencoded))
  }
  return samples
}

interface Reference {
  name: string
  values: number[]
  /** Limit of the p50, as a multiple of the reference's p50, plus 20 ms. */
  mostRatio?: number
}

function compare(name: string, values: number[], reference: Reference): Measurement[] {
  const referenceAt = (share: number) => ({
    name: reference.name,
    values: summarize([quantile(reference.values, share)]),
  })
  const p50: Measurement = {
    ...measured(`${name}, p50`, 'ms', [median(values)]),
    reference: referenceAt(0.5),
    ratio: summarize([median(values) / median(reference.values)]),
  }
  const p95: Measurement = { ...measured(`${name}, p95`, 'ms', [quantile(values, 0.95)]), reference: referenceAt(0.95) }
  const { mostRatio } = reference
  if (mostRatio === undefined) return [p50, p95]
  const mostMs = mostRatio * median(reference.values) + 20
  return [atMost(p50, mostMs, `<= ${mostRatio} x ${reference.name} + 20 ms = ${mostMs.toFixed(0)} ms`), p95]
}

function measurementsOf(size: PhotoSize, { baseline, light, kept, reencoded }: Samples): Measurement[] {
  const complete = (latencies: Latencies[]): number[] => latencies.map((one) => one.complete)
  const thumbnail = (latencies: Latencies[]): number[] => latencies.map((one) => one.thumbnail)
  const response = [...kept, ...reencoded].map((one) => one.response)
  const thumbnailLeads = reencoded.map((one) => one.complete - one.thumbnail)
  const lightReference = { name: 'light baseline', values: light }
  const reference = { name: 'baseline', values: baseline }
  return [
    ...compare(`${size}, kept`, complete(kept), { ...reference, mostRatio: 0.6 }),
    ...compare(`${size}, re-encoded`, complete(reencoded), { ...reference, mostRatio: 1.25 }),
    ...compare(`${size}, re-encoded, against the light baseline`, complete(reencoded), lightReference),
    measured(`${size}, kept: thumbnail announced, p50`, 'ms', [median(thumbnail(kept))]),
    measured(`${size}, re-encoded: thumbnail announced, p50`, 'ms', [median(thumbnail(reencoded))]),
    {
      ...measured(`${size}, re-encoded: from thumbnail to complete, p50`, 'ms', [median(thumbnailLeads)]),
      limit: 'always > 0 ms',
      withinLimit: thumbnailLeads.every((ms) => ms > 0),
    },
    measured(`${size}, response to the upload, p50`, 'ms', [median(response)]),
  ]
}

async function runLatency({ scratchDir, quick, log }: BenchOptions): Promise<Measurement[]> {
  const server = await startTestServer(scratchDir)
  const baseline = await startImageBaseline(scratchDir, 'default')
  const light = await startImageBaseline(scratchDir, 'light')
  const nextUser = roundRobin(await server.createUsers(30))
  const subjects: Subjects = { nextUser, baseline: baseline.address, light: light.address }
  const warmUpPhotos = 4
  await measureLatencies(subjects, await sampleOf('12 MP'), warmUpPhotos)
  const results: Measurement[] = []
  for (const size of ['12 MP', '24 MP'] as const) {
    const measurements = measurementsOf(size, await measureLatencies(subjects, await sampleOf(size), quick ? 10 : 40))
    for (const { name, values, limit } of measurements) log(`${name}: ${values.median} ms ${limit ?? ''}`)
    results.push(...measurements)
  }
  await Promise.all([server, baseline, light].map((subject) => subject.stop()))
  return results
}

export const latency: BenchmarkPart = {
  name: 'latency',
  title: 'From the last byte of one photo to its QR code on the screen',
  method:
    'One photo at a time: from the moment when the kernel has taken its last byte until photo_update on the socket (for a baseline: its response). ' +
    'For each photo the baseline, the product (kept), the light baseline and the product (re-encoded) are measured one after the other. ' +
    baselineText,
  run: runLatency,
}
