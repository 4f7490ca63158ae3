import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createScratchFolder } from './scratch-folder.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'keepsnap-parents-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
})

test('the folder is created in the first parent that exists and has room, for all users', () => {
  const folder = createScratchFolder([join(parent, 'missing'), parent])
  expect(dirname(folder)).toBe(parent)
  expect(statSync(folder).mode & 0o7777).toBe(0o1777)
})

test('folders of runs that have ended are removed, those of running ones and of others are not', () => {
  const ended = spawnSync(process.execPath, ['-v']).pid
  const [kept, abandoned] = [`keepsnap-test-${process.ppid}-a`, `keepsnap-test-${ended}-b`]
  for (const name of [kept, abandoned, 'something-else'])
    mkdirSync(join(parent, name, 'with', 'files'), { recursive: true })
  const created = createScratchFolder([parent])
  expect(
    readdirSync(parent)
      .map((name) => join(parent, name))
      .toSorted(),
  ).toEqual([join(parent, kept), created, join(parent, 'something-else')].toSorted())
})
