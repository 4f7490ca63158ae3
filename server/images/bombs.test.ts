import { describe, expect, test } from 'vitest'
import { ImageFailure } from './failure.ts'
import { memoryOf } from './watch.ts'
import { claimingBombs, slowBombs, usualBombs, type Bomb } from './test/bomb-list.ts'
import { isRecord, sharedPool } from './test/making.ts'
import { jpeg } from './test/pictures.ts'

const images = sharedPool({ size: 2 })
const MB = 1024 * 1024

/** Lights one bomb beside a photo of somebody else; what came of both, and of us. */
async function lit({ make }: Bomb) {
  const pool = images()
  const bomb = await make()
  globalThis.gc?.()
  const before = memoryOf(process.pid) ?? 0
  const began = performance.now()
  const [end, other] = await Promise.all([
    pool.make(bomb).then(
      () => 'made',
      (error: unknown) => (error instanceof ImageFailure && error.kind !== 'crashed' ? 'refused' : error),
    ),
    pool.make(await jpeg()),
  ])
  return { end, other, tookMs: performance.now() - began, grewBytes: (memoryOf(process.pid) ?? 0) - before }
}

describe('bombs end in time, and harm nobody', () => {
  test.each(isRecord ? [...usualBombs, ...claimingBombs, ...slowBombs] : usualBombs)(
    '$name',
    { timeout: 60_000 },
    async (bomb) => {
      const { end, other, tookMs, grewBytes } = await lit(bomb)
      expect(bomb.end === 'either' ? ['made', 'refused'] : [bomb.end]).toContain(end)
      expect(other.made.full.kept).toBe(true)
      expect(tookMs).toBeLessThan(45_000)
      expect(grewBytes).toBeLessThan(50 * MB)
    },
  )
})
