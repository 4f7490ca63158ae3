import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder, startNumberStore } from '../test/child-processes.ts'
import { startAndStop } from './test/start-and-stop.ts'

test('the path of the data folder may contain spaces, quotes and dollar signs, and be longer than a socket path', async () => {
  const dataDir = join(scratchFolder(onTestFinished), `my "photos" $HOME it's`, 'deep'.repeat(40), 'é'.repeat(80))
  await startAndStop(startNumberStore(onTestFinished, dataDir))
  expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true)
})
