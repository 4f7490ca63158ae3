import { join } from 'node:path'
import { imagesText, startBaseline } from '../baselines.ts'
import { itemAt } from '../load.ts'
import { atMost, measured, median, quantile, type BenchmarkPart, type Measurement } from '../results.ts'
import { sampleOf, type SamplePhoto } from '../sample-photos.ts'
import { startTestServer, uploadTimed, type AddedPhoto } from '../server.ts'

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
