import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { acquireSocketLock, type SocketLock } from './socket-lock.ts'

/** Takes the lock, which must be free. */
async function acquireLock(name: string, answer: string): Promise<SocketLock> {
  const lock = await acquireSocketLock(name, () => answer)
  if (typeof lock === 'string') throw new Error(`the lock is held by ${lock}`)
  onTestFinished(() => lock.release())
  return lock
}

test('while a lock is held, others get the answer of its owner; afterwards they get the lock', async () => {
  const name = randomUUID()
  const lock = await acquireLock(name, 'first')
  expect(await acquireSocketLock(name, () => 'second')).toBe('first')
  await lock.release()
  await acquireLock(name, 'second')
  expect(await acquireSocketLock(name, () => 'third')).toBe('second')
})

test('of many who want a lock at once, one gets it', async () => {
  const name = randomUUID()
  const locks = await Promise.all(Array.from({ length: 10 }, () => acquireSocketLock(name, () => 'owner')))
  const acquired = locks.filter((lock) => typeof lock !== 'string')
  onTestFinished(() => acquired[0]?.release())
  expect(acquired).toHaveLength(1)
  expect(locks.filter((lock) => lock === 'owner')).toHaveLength(9)
})
