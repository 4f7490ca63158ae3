import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createProcessFolder } from './process-folder.ts'

test('removes the folders of dead processes of this machine, and keeps those of live processes and other machines', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'keepsnap-own-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  const mine = await createProcessFolder(parent)
  await mkdir(join(parent, `${hostname()}@999999-1`))
  await mkdir(join(parent, 'another-machine@1-1'))
  expect(await createProcessFolder(parent)).toBe(mine)
  expect((await readdir(parent)).toSorted()).toEqual(['another-machine@1-1', basename(mine)].toSorted())
})
