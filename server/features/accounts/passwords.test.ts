import type { HashingParty } from '../../dependencies.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Fault } from '../../faults.ts'
import { clientKey } from '../../platform/http/client-address.ts'
import { useDatabase } from '../../test/cloned-database.ts'
import { cheapHashing } from '../../test/harness.ts'
import {
  addKnownClient,
  checkNewPassword,
  countPasswordAttempt,
  createPasswords,
  deleteOldPasswordAttempts,
  resetAllPasswordAttempts,
  resetPasswordAttempts,
} from './passwords.ts'
import { addUser } from './users.ts'

const someone = { client: '10.0.0.1' }

describe('a hash', () => {
  test('costs as much CPU time for an unknown account as for a wrong password', async () => {
    const passwords = await createPasswords()
    const stored = await passwords.hash('right', someone)
    const cost = async (account: string | undefined): Promise<number> => {
      const before = process.cpuUsage()
      await passwords.matches(account, 'wrong', someone)
      const { user, system } = process.cpuUsage(before)
      return user + system // only their sum is exact
    }
    const [unknown, known]: [number[], number[]] = [[], []]
    for (let n = 0; n < 3; n++) {
      unknown.push(await cost(undefined))
      known.push(await cost(stored))
    }
    // The least: the process may do something else meanwhile.
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 2)
  })

  test('is refused with 503 when too many passwords wait, which are still hashed', async () => {
    const passwords = await createPasswords({ concurrency: 1, maxWaiting: 2, ...cheapHashing })
    const accepted = Array.from({ length: 3 }, () => passwords.matches(undefined, 'x', someone))
    const refused = { code: 'unavailable', retryAfter: 2 }
    await expect(passwords.matches(undefined, 'x', someone)).rejects.toMatchObject(refused)
    await expect(passwords.hash('x', someone)).rejects.toMatchObject(refused)
    expect(await Promise.all(accepted)).toEqual([false, false, false])
    expect(await passwords.matches(undefined, 'x', someone)).toBe(false)
  })

  test('waits for one turn of each other network, whatever number of its clients wait; an account waits for none of them', async () => {
    const passwords = await createPasswords({ concurrency: 1, maxWaiting: 20, ...cheapHashing })
    const ended: string[] = []
    const check = async (name: string, whose: HashingParty): Promise<void> => {
      const outcome = await passwords.matches(undefined, 'x', whose).then(
        () => name,
        () => `${name} refused`,
      )
      ended.push(outcome)
    }
    const attack = Array.from({ length: 40 }, (_, n) =>
      check('attacker', { client: clientKey(`2001:db8:1:${n.toString(16)}::1`) }),
    )
    const others = [
      check('venue', { client: '203.0.113.9' }),
      check('phone', { client: clientKey('2001:db8:2:1::1') }),
      check('neighbour of the attacker', { client: clientKey('2001:db8:1:ff00::1') }),
      check('known browser', { account: 'ann' }),
    ]
    await Promise.all([...attack, ...others])
    expect(ended.filter((name) => name === 'attacker refused')).toHaveLength(40 + 4 - 20 - 1)
    const order = ended.filter((name) => !name.endsWith('refused'))
    expect(order.slice(0, 6)).toEqual([
      'attacker',
      'attacker',
      'known browser',
      'venue',
      'phone',
      'neighbour of the attacker',
    ])
  })
})

test('a new password keeps the rules of the contract, and has at most 128 characters', () => {
  const password = 'Correct.Horse.1'
  const refusal = (msg: string) =>
    expect.objectContaining({ code: 'invalid', detail: [{ loc: ['body', 'password'], msg }] })
  expect(() => checkNewPassword('password', password.padEnd(128, 'x'))).not.toThrow()
  expect(() => checkNewPassword('password', password.padEnd(129, 'x'))).toThrow(
    refusal('Password must be at most 128 characters long'),
  )
  expect(() => checkNewPassword('password', 'Short.1')).toThrow(refusal('Password must be at least 8 characters long'))
})

describe('attempts', () => {
  const database = useDatabase()
  beforeAll(async () => {
    await addUser(database.db, { id: 'ann', email: 'ann@example.com', username: 'ann', passwordHash: 'x' })
  })
  beforeEach(() => database.pool.query('delete from sign_in_delays; delete from known_clients'))
  const attemptPassword = (client: string, email = 'ann@example.com') =>
    countPasswordAttempt(database.db, email, { client, browser: undefined })
  /** Makes the five attempts that are not delayed. */
  async function makeFiveAttempts(client: string, email?: string): Promise<void> {
    for (let count = 0; count < 5; count++) await attemptPassword(client, email)
  }
  /** Makes the delay of every counter 512 seconds, so that none passes during a test. */
  const lengthenDelays = () => database.pool.query('update sign_in_delays set failures = 14, last_failure_at = now()')
  /** The seconds that a refused attempt must wait, which its message says too. */
  async function secondsToWait(client: string): Promise<number> {
    const refusal: unknown = await attemptPassword(client).catch((error: unknown) => error)
    if (!(refusal instanceof Fault) || refusal.retryAfter === undefined) throw new Error('the attempt was not delayed')
    expect(refusal).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining(`Please wait ${refusal.retryAfter} seconds`),
    })
    return refusal.retryAfter
  }
  test('after five attempts of strangers together, each next one is delayed longer', async () => {
    await makeFiveAttempts('10.0.0.1')
    // The first delay is 1 second. It begins in 100 seconds, because it would pass on a busy machine.
    await database.pool.query("update sign_in_delays set last_failure_at = now() + interval '100 seconds'")
    const secondsAfterFive = await secondsToWait('10.0.0.2')
    expect(secondsAfterFive).toBeGreaterThan(50)
    expect(secondsAfterFive).toBeLessThanOrEqual(101)
    await lengthenDelays()
    const secondsAfterFourteen = await secondsToWait('10.0.0.2')
    expect(secondsAfterFourteen).toBeGreaterThan(256)
    expect(secondsAfterFourteen).toBeLessThanOrEqual(512)
    await database.pool.query("update sign_in_delays set last_failure_at = now() - interval '513 seconds'")
    await attemptPassword('10.0.0.2')
  })

  test('an account that does not exist is delayed in the same way, and others are not', async () => {
    await makeFiveAttempts('10.0.0.1', 'nobody@example.com')
    await lengthenDelays()
    await expect(attemptPassword('10.0.0.1', 'NOBODY@example.com')).rejects.toThrow(Fault)
    expect(await attemptPassword('10.0.0.1')).toEqual({ account: 'ann@example.com', client: '' })
  })

  test('strangers do not delay a known client, until it is forgotten', async () => {
    await addKnownClient(database.db, 'ann', '10.0.0.9')
    await makeFiveAttempts('10.0.0.1')
    await lengthenDelays()
    expect(await attemptPassword('10.0.0.9')).toEqual({ account: 'ann@example.com', client: '10.0.0.9' })
    await database.db.deleteFrom('known_clients').where('user_id', '=', 'ann').execute()
    await expect(attemptPassword('10.0.0.9')).rejects.toThrow(Fault)
  })

  test('a correct password resets its own counter; a password change resets all', async () => {
    await addKnownClient(database.db, 'ann', '10.0.0.9')
    await makeFiveAttempts('10.0.0.1')
    await lengthenDelays()
    await resetPasswordAttempts(database.db, await attemptPassword('10.0.0.9'))
    await expect(attemptPassword('10.0.0.1')).rejects.toThrow(Fault)
    await resetAllPasswordAttempts(database.db, 'ann@example.com')
    await makeFiveAttempts('10.0.0.1')
  })

  test('counters are deleted after a day, known clients after 90 days', async () => {
    await addKnownClient(database.db, 'ann', '10.0.0.9')
    await attemptPassword('10.0.0.1')
    const rows = async () =>
      (await database.pool.query('select 1 from sign_in_delays union all select 1 from known_clients')).rowCount
    await deleteOldPasswordAttempts(database.db)
    expect(await rows()).toBe(2)
    await database.pool.query("update sign_in_delays set last_failure_at = now() - interval '25 hours'")
    await database.pool.query("update known_clients set seen_at = now() - interval '91 days'")
    await deleteOldPasswordAttempts(database.db)
    expect(await rows()).toBe(0)
  })
})
