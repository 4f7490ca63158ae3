import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ownFolder } from './own-folder.ts'

test('dead processes of this machine leave nothing, living ones and other machines keep theirs', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'keepsnap-own-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  const mine = await ownFolder(parent)
  await mkdir(join(parent, `${hostname()}@999999-1`))
  await mkdir(join(parent, 'another-machine@1-1'))
  expect(await ownFolder(parent)).toBe(mine)
  expect((await readdir(parent)).toSorted()).toEqual(['another-machine@1-1', basename(mine)].toSorted())
})
