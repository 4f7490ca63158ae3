import { join } from 'node:path'
import { forEachConcurrently } from '../server/lib/concurrency.ts'
import { imagesText, startBaseline } from './baselines.ts'
import { itemAt } from './load.ts'
import {
  atMost,
  type BenchmarkPart,
  lineOf,
  measured,
  type Measurement,
  median,
  quantile,
  ratioAtLeast,
} from './results.ts'
import { type AddedPhoto, sampleOf, type SamplePhoto, startTestServer, uploadTimed } from './server.ts'

export const pipeline: BenchmarkPart = {
  title: 'Photos through upload, processing and push',
  method:
    'Each photo is uploaded over HTTP and counts when a photo_update on its owner’s socket says that it is complete; for the baseline, when it has responded. ' +
    'Each round measures the baseline, the product where it keeps the pixels, and the product where it encodes them again, one after the other. ' +
    imagesText,
  async run({ scratchDir, quick, log }) {
    const server = await startTestServer(scratchDir)
    const baseline = await startBaseline('images', join(scratchDir, 'baseline'))
    // Every photo by another user, so that no rate limit is reached.
    const users = await server.createUsers(40)
    let uploads = 0
    const addToProduct = (photo: Buffer) => itemAt(users, uploads++).addPhoto(photo)
    const addToBaseline = (photo: Buffer) => uploadTimed(baseline.address, photo)
    const photosPerSecond = async (
      add: (photo: Buffer) => Promise<unknown>,
      photo: Buffer,
      count: number,
      most: number,
    ) => {
      const startedAt = performance.now()
      await forEachConcurrently([...Array(count).keys()], most, () => add(photo))
      return count / ((performance.now() - startedAt) / 1000)
    }
    const warmUp = (await sampleOf('12 MP')).reencoded
    for (const add of [addToProduct, addToBaseline]) await photosPerSecond(add, warmUp, 6, 3)
    const results: Measurement[] = []
    for (const size of ['12 MP', '24 MP'] as const)
      for (const inFlight of [1, 4, 8]) {
        const { kept, reencoded } = await sampleOf(size)
        const count = Math.max((size === '12 MP' ? 24 : 12) / (quick ? 2 : 1), inFlight * 2)
        const rates: Record<'baseline' | 'kept' | 'reencoded', number[]> = { baseline: [], kept: [], reencoded: [] }
        for (let round = 0; round < (quick ? 2 : 3); round++) {
          rates.baseline.push(await photosPerSecond(addToBaseline, kept, count, inFlight))
          rates.kept.push(await photosPerSecond(addToProduct, kept, count, inFlight))
          rates.reencoded.push(await photosPerSecond(addToProduct, reencoded, count, inFlight))
        }
        const rateOf = (way: string, runs: number[], least: number): Measurement => {
          const rate = measured(`${size}, ${inFlight} in flight, ${way}`, 'photos/s', runs)
          return ratioAtLeast(rate, { name: 'baseline', runs: rates.baseline }, least)
        }
        const leastKept = size === '24 MP' ? 2.7 : inFlight === 1 ? 2 : 2.2
        const both = [rateOf('kept', rates.kept, leastKept), rateOf('re-encoded', rates.reencoded, 0.9)]
        log(both.map(lineOf).join('\n   '))
        results.push(...both)
      }
    await Promise.all([server.stop(), baseline.stop()])
    return results
  },
}

interface Samples {
  /** Milliseconds. */
  baseline: number[]
  kept: AddedPhoto[]
  reencoded: AddedPhoto[]
}

function measurementsOf(size: string, { baseline, kept, reencoded }: Samples): Measurement[] {
  const msTo = (moment: 'respondedAt' | 'thumbnailAt' | 'completeAt', photos: AddedPhoto[]): number[] =>
    photos.map((photo) => photo[moment] - photo.lastByteAt)
  const complete = (way: string, photos: AddedPhoto[], mostRatio: number): Measurement[] => {
    const at = (share: number): Measurement => ({
      ...measured(`${size}, ${way}, p${share * 100}`, 'ms', [quantile(msTo('completeAt', photos), share)]),
      reference: { name: 'baseline', runs: [quantile(baseline, share)] },
    })
    const mostMs = mostRatio * median(baseline) + 20
    return [atMost(at(0.5), mostMs, `<= ${mostRatio} x baseline + 20 ms = ${mostMs.toFixed(0)} ms`), at(0.95)]
  }
  const leads = reencoded.map(({ thumbnailAt, completeAt }) => completeAt - thumbnailAt)
  return [
    ...complete('kept', kept, 0.6),
    ...complete('re-encoded', reencoded, 1.25),
    measured(`${size}, kept: thumbnail announced, p50`, 'ms', [median(msTo('thumbnailAt', kept))]),
    measured(`${size}, re-encoded: thumbnail announced, p50`, 'ms', [median(msTo('thumbnailAt', reencoded))]),
    {
      ...measured(`${size}, re-encoded: from thumbnail to complete, p50`, 'ms', [median(leads)]),
      limit: 'always > 0 ms',
      withinLimit: leads.every((ms) => ms > 0),
    },
    measured(`${size}, response to the upload, p50`, 'ms', [median(msTo('respondedAt', [...kept, ...reencoded]))]),
  ]
}

export const latency: BenchmarkPart = {
  title: 'From the last byte of one photo to its QR code on the screen',
  method:
    'One photo at a time: from the moment when the kernel has taken its last byte until photo_update on the socket (for the baseline: its response). ' +
    `For each photo the baseline, the product (kept) and the product (re-encoded) are measured one after the other. ${imagesText}`,
  async run({ scratchDir, quick }) {
    const server = await startTestServer(scratchDir)
    const baseline = await startBaseline('images', join(scratchDir, 'baseline'))
    const users = await server.createUsers(30)
    let uploads = 0
    const measure = async (sample: SamplePhoto, count: number): Promise<Samples> => {
      const samples: Samples = { baseline: [], kept: [], reencoded: [] }
      while (samples.kept.length < count) {
        const { respondedAt, lastByteAt } = await uploadTimed(baseline.address, sample.kept)
        samples.baseline.push(respondedAt - lastByteAt)
        samples.kept.push(await itemAt(users, uploads++).addPhoto(sample.kept))
        samples.reencoded.push(await itemAt(users, uploads++).addPhoto(sample.reencoded))
      }
      return samples
    }
    const warmUpPhotos = 4
    await measure(await sampleOf('12 MP'), warmUpPhotos)
    const results: Measurement[] = []
    for (const size of ['12 MP', '24 MP'] as const)
      results.push(...measurementsOf(size, await measure(await sampleOf(size), quick ? 10 : 40)))
    await Promise.all([server.stop(), baseline.stop()])
    return results
  },
}
