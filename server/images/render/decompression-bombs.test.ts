import { describe, expect, test } from 'vitest'
import { ImageFailure } from '../sandbox/image-jobs.ts'
import { type Bomb, oversizedBombs, representativeBombs, slowBombs } from '../test/bombs.ts'
import { jpeg } from '../test/sample-images.ts'
import { sharedTestPool } from '../test/test-pool.ts'
import { isRecord, repetitions } from '../../test/statistics.ts'

/** A busy machine is slow, not wrong: more time for any picture, and no process is replaced because it took long. */
const moreTime = { limits: { baseMs: 30_000 }, stopIdleAfterMs: 600_000 }
/** With the limits of production, but more time unless the record run measures it. */
const images = sharedTestPool({ size: 2, limits: {}, ...(!isRecord && moreTime) })
const MB = 1024 * 1024

/** Renders a bomb and a photo at the same time; the outcome of both, and by how much this process has grown. */
async function renderBoth({ make }: Bomb) {
  const pool = images()
  const bomb = await make()
  globalThis.gc?.()
  const bytesBefore = process.memoryUsage.rss()
  const startedAt = performance.now()
  const [outcome, other] = await Promise.all([
    pool.render(bomb).then(
      () => 'rendered',
      (error: unknown) => (error instanceof ImageFailure && error.kind !== 'crashed' ? 'refused' : error),
    ),
    pool.render(await jpeg()),
  ])
  const grownBytes = process.memoryUsage.rss() - bytesBefore
  return { outcome, other, durationMs: performance.now() - startedAt, grownBytes }
}

describe('a decompression bomb ends in time and does not affect other photos', () => {
  const bombs = isRecord ? [...representativeBombs, ...oversizedBombs, ...slowBombs] : representativeBombs
  test.each(bombs)('$name', async (bomb) => {
    const { outcome, other, durationMs, grownBytes } = await renderBoth(bomb)
    expect(bomb.outcome === 'either' ? ['rendered', 'refused'] : [bomb.outcome]).toContain(outcome)
    expect(other.photo.full.lossless).toBe(true)
    expect(durationMs).toBeLessThan(repetitions(100_000, 45_000))
    expect(grownBytes).toBeLessThan(50 * MB)
  })
})
