import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { jpeg } from '../test/sample-images.ts'
import { openTestPool } from '../test/test-pool.ts'

const { emptyFolder } = vi.hoisted(() => ({ emptyFolder: vi.fn<() => Promise<void>>() }))
vi.mock('./scratch-files.ts', async (original) => ({
  ...(await original<typeof import('./scratch-files.ts')>()),
  emptyFolder,
}))

test('a slot that cannot be cleared does not fail the photo that was rendered in it, nor the next one', async () => {
  const pool = await openTestPool()
  onTestFinished(() => pool.close())
  const photo = await jpeg()
  emptyFolder.mockRejectedValueOnce(Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' }))
  expect((await pool.render(photo)).photo.full.lossless).toBe(true)
  expect(pool.logged.join('')).toContain('a slot could not be cleared')
  expect(readdirSync(join(pool.scratchDir, 'jobs'))).toEqual([])
  expect((await pool.render(photo)).photo.full.lossless).toBe(true)
})
