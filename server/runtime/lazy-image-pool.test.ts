import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { createLazyImagePool, imageProcessCount } from './lazy-image-pool.ts'
import { createLog } from './log.ts'

const machine = { lanAddress: undefined, cwd: '/nowhere' }

test('there are as many image processes as WORKERS says, otherwise one for each core', () => {
  expect(imageProcessCount(readConfig({ WORKERS: '7' }, machine))).toBe(7)
  expect(imageProcessCount(readConfig({}, machine))).toBe(availableParallelism())
})

test('closing a pool that was never used starts nothing, and it cannot be used afterwards', async () => {
  const images = createLazyImagePool({ config: readConfig({}, machine), log: createLog('silent') })
  await images.close()
  await expect(images.get()).rejects.toThrow('have been stopped')
})
