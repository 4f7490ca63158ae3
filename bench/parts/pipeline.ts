import { join } from 'node:path'
import { forEachConcurrently } from '@keepsnap/server/lib/for-each-concurrently.ts'
import { imagesText, startBaseline } from '../baselines.ts'
import { itemAt } from '../load.ts'
import { lineOf, measured, ratioAtLeast, type BenchmarkPart, type Measurement } from '../results.ts'
import { sampleOf } from '../sample-photos.ts'
import { startTestServer, uploadTimed } from '../server.ts'

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
