import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { jpeg } from '../test/sample-images.ts'
import { jobInput, sharedTestPool } from '../test/test-pool.ts'

const images = sharedTestPool()

test('a slot that cannot be cleared does not fail the photo that was rendered in it, nor the next one', async () => {
  const { pool, logged, scratchDir, render } = images()
  const photo = await jpeg()
  const [slot, moved] = [join(scratchDir, 'slot-0'), join(scratchDir, 'moved')]
  const job = await pool.renderPhoto(jobInput(photo))
  // As soon as the photo is finished, before its slot is cleared.
  const { full } = await job.result.finally(() => renameSync(slot, moved))
  expect([full.lossless, existsSync(full.path)]).toEqual([true, true])
  await job.release()
  expect(logged.join('')).toContain('a slot could not be cleared')
  expect(existsSync(full.path)).toBe(false)
  renameSync(moved, slot)
  expect((await render(photo)).photo.full.lossless).toBe(true)
})
