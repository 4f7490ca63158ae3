import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { createLog } from '../runtime/log.ts'
import { useServer } from '../test/harness.ts'
import { openStorageInUse } from './open-storage.ts'

const server = useServer()

const countNodes = async (): Promise<number> =>
  (await server.db.selectFrom('storage_nodes').select('node').execute()).length

test('a node whose store cannot be opened is no longer one of those that follow the store in use', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'keepsnap-store-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  await mkdir(join(dataDir, 'files'))
  await writeFile(join(dataDir, 'files/incoming'), 'a file in the place of the folder')
  const config = readConfig({ DATA_DIR: dataDir }, { lanAddress: undefined, cwd: dataDir })
  const before = await countNodes()
  const opening = openStorageInUse({ config, db: server.db, log: createLog('silent') })
  await expect(opening).rejects.toMatchObject({ code: expect.stringMatching(/^(ENOTDIR|EEXIST)$/) })
  expect(await countNodes()).toBe(before)
})
