import { expect, test } from 'vitest'
import { createPasswords } from './passwords.ts'

test('a password matches its own hash only, and no password matches an unknown account', async () => {
  const passwords = await createPasswords()
  const stored = await passwords.hash('right')
  expect(await passwords.matches(stored, 'right')).toBe(true)
  expect(await passwords.matches(stored, 'wrong')).toBe(false)
  expect(await passwords.matches(undefined, 'a password that no account has')).toBe(false)
})

test('an unknown account costs as much CPU time as a wrong password', async () => {
  const passwords = await createPasswords()
  const stored = await passwords.hash('right')
  const cost = async (account: string | undefined): Promise<number> => {
    const before = process.cpuUsage()
    await passwords.matches(account, 'wrong')
    const { user, system } = process.cpuUsage(before)
    return user + system // only their sum is exact
  }
  const [unknown, known]: [number[], number[]] = [[], []]
  for (let n = 0; n < 5; n++) {
    unknown.push(await cost(undefined))
    known.push(await cost(stored))
  }
  // The least of five: the process may do something else meanwhile.
  expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 2)
})

test('refuses with 503 when too many passwords wait, and still hashes those that wait', async () => {
  const passwords = await createPasswords({ concurrency: 1, maxWaiting: 2 })
  const accepted = Array.from({ length: 3 }, () => passwords.matches(undefined, 'x'))
  const refused = { code: 'unavailable', retryAfter: 2 }
  await expect(passwords.matches(undefined, 'x')).rejects.toMatchObject(refused)
  await expect(passwords.hash('x')).rejects.toMatchObject(refused)
  expect(await Promise.all(accepted)).toEqual([false, false, false])
  expect(await passwords.matches(undefined, 'x')).toBe(false)
})
