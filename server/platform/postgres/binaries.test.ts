import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../test/child-processes.ts'
import { changeOwner, isReachable } from './binaries.ts'

const stranger = { uid: 54_321, gid: 54_321 }

test('a folder can be reached when the user may enter it and every folder above it', () => {
  const parent = scratchFolder(onTestFinished)
  const folder = join(parent, 'folder')
  mkdirSync(folder)
  chmodSync(folder, 0o711)
  expect(isReachable(folder, stranger)).toBe(true)
  chmodSync(parent, 0o700)
  expect(isReachable(folder, stranger)).toBe(false)
})

test('the permissions of the owner and of the group are used before those of others', () => {
  const folder = scratchFolder(onTestFinished)
  const { uid, gid } = statSync(folder)
  chmodSync(folder, 0o701)
  expect(isReachable(folder, { uid, gid: stranger.gid })).toBe(true)
  expect(isReachable(folder, { uid: stranger.uid, gid })).toBe(false)
  expect(isReachable(folder, stranger)).toBe(true)
})

test('the owner of a folder and its contents is changed, but not of what links in it lead to', ({ skip }) => {
  skip(process.geteuid?.() !== 0, 'needs root')
  const [folder, outside] = [scratchFolder(onTestFinished), scratchFolder(onTestFinished)]
  mkdirSync(join(folder, 'inner'))
  writeFileSync(join(folder, 'inner', 'file'), '')
  symlinkSync(outside, join(folder, 'link'))
  changeOwner(folder, stranger)
  expect(statSync(folder).uid).toBe(stranger.uid)
  expect(statSync(join(folder, 'inner', 'file')).uid).toBe(stranger.uid)
  expect(statSync(outside).uid).toBe(0)
})
