import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { scratchFolder } from '../test/child-processes.ts'
import { findActiveOwner, lockScope, maintainLockFile, parseLockOwner, type LockOwner } from './folder-lock.ts'

const owner: LockOwner = { token: 'own', pid: 1, host: 'here', since: '2026-05-01T10:20:00.000Z', realm: lockScope() }
const other: LockOwner = { ...owner, token: 'other', host: 'elsewhere', realm: 'another machine' }

let lockFile: string
beforeEach(() => {
  lockFile = join(scratchFolder(onTestFinished), 'holder.json')
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

function maintain() {
  const lostTo: LockOwner[] = []
  const file = maintainLockFile(
    lockFile,
    () => owner,
    (newOwner) => void lostTo.push(newOwner),
  )
  onTestFinished(() => file.remove())
  return { file, lostTo }
}

test('an owner is parsed only when every field is there', () => {
  expect(parseLockOwner(JSON.stringify(owner))).toEqual(owner)
  for (const text of ['', 'null', '{', '[]', JSON.stringify({ ...owner, pid: '1' }), '{"token":"own"}'])
    expect(parseLockOwner(text)).toBeUndefined()
})

test('the lock file is touched every two seconds, written again when it is gone, and removed at the end', () => {
  const { file, lostTo } = maintain()
  utimesSync(lockFile, 1, 1)
  vi.advanceTimersByTime(2_000)
  expect(statSync(lockFile).mtimeMs).toBeGreaterThan(1_000)
  file.remove()
  expect(existsSync(lockFile)).toBe(false)
  vi.advanceTimersByTime(10_000)
  expect(existsSync(lockFile)).toBe(false)
  expect(lostTo).toEqual([])
})

test('a program whose lock file was replaced learns it once, and leaves the file to the new owner', () => {
  const { file, lostTo } = maintain()
  writeFileSync(lockFile, JSON.stringify(other))
  vi.advanceTimersByTime(10_000)
  expect(lostTo).toEqual([other])
  file.remove()
  expect(JSON.parse(readFileSync(lockFile, 'utf8'))).toEqual(other)
})

test('an owner on another machine is active when it touches the file within seven seconds', async () => {
  writeFileSync(lockFile, JSON.stringify(other))
  const active = findActiveOwner(lockFile)
  await vi.advanceTimersByTimeAsync(2_000)
  utimesSync(lockFile, 1, 1)
  await vi.advanceTimersByTimeAsync(500)
  expect(await active).toEqual(other)
  const dead = findActiveOwner(lockFile)
  await vi.advanceTimersByTimeAsync(8_000)
  expect(await dead).toBeUndefined()
})

test('a lock file of this machine, which has the socket lock, is not waited for', async () => {
  writeFileSync(lockFile, JSON.stringify(owner))
  expect(await findActiveOwner(lockFile)).toBeUndefined()
  expect(await findActiveOwner(`${lockFile}.missing`)).toBeUndefined()
})
