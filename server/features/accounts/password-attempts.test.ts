import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect, type Database } from '../../db/connect.ts'
import { Fault } from '../../faults.ts'
import { createLog } from '../../runtime/log.ts'
import { cloneDatabase } from '../../test/cloned-database.ts'
import {
  addKnownClient,
  countPasswordAttempt,
  deleteKnownClients,
  deleteOldPasswordAttempts,
  resetAllPasswordAttempts,
  resetPasswordAttempts,
} from './password-attempts.ts'
import { addUser } from './queries.ts'

let database: Database
let dropDatabase: () => Promise<void>
beforeAll(async () => {
  const cloned = await cloneDatabase()
  dropDatabase = cloned.drop
  database = connect(cloned.database, createLog('silent'), 2)
  await addUser(database.db, { id: 'ann', email: 'ann@example.com', username: 'ann', passwordHash: 'x' })
})
afterAll(async () => {
  await database.close()
  await dropDatabase()
})
beforeEach(async () => {
  await database.pool.query('delete from sign_in_delays; delete from known_clients')
})

const attemptPassword = (client: string, email = 'ann@example.com') => countPasswordAttempt(database.db, email, client)
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
  await deleteKnownClients(database.db, 'ann')
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
