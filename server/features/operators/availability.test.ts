import { beforeEach, expect, test } from 'vitest'
import { createLog } from '../../platform/process/log.ts'
import { useDatabase } from '../../test/cloned-database.ts'
import { availability, createAvailabilityMeter, deleteOldAvailability, recordMinute } from './health.ts'

const database = useDatabase()
beforeEach(() => database.pool.query('delete from availability_days'))

const days = async (): Promise<object[]> =>
  (await database.pool.query<object>('select minutes from availability_days order by day')).rows
/** As if it had been measured since `minutesAgo`, with so many minutes in which the program answered. */
const measured = (minutesAgo: number, minutes: number) =>
  database.pool.query(
    `insert into availability_days (day, first_minute, last_minute, minutes)
     select (since at time zone 'utc')::date, since, since, $2 from (
       select date_trunc('minute', now()) - make_interval(mins => $1) as since) as start
     on conflict (day) do update set minutes = availability_days.minutes + $2`,
    [minutesAgo, minutes],
  )
const percent = async () => (await availability(database.db, 99.9)).percent

test('a minute is counted once, whichever node records it', async () => {
  // Not when a minute is about to begin, which would be counted, too.
  const isEarly = async () => {
    const { rows } = await database.pool.query<{ is_early: boolean }>(
      'select extract(second from now()) < 55 as is_early',
    )
    return rows[0]?.is_early
  }
  await expect.poll(isEarly).toBe(true)
  await recordMinute(database.db)
  await database.pool.query(`update availability_days set last_minute = last_minute - interval '1 minute'`)
  await Promise.all([recordMinute(database.db), recordMinute(database.db)])
  expect(await days()).toEqual([{ minutes: 2 }])
})

test('availability is the share of available minutes since measuring began', async () => {
  expect(await availability(database.db, 99.9)).toEqual({ since: null, percent: null, target_percent: 99.9 })
  await measured(3, 3)
  expect(await percent()).toBeNull()
  await database.pool.query('delete from availability_days')
  await measured(1_000, 999)
  const { since, percent: share } = await availability(database.db, 99.9)
  expect(since).toMatch(/:00\.000Z$/)
  // One less if a minute has begun meanwhile.
  expect([99.9, 99.8]).toContain(Math.round(10 * (share ?? 0)) / 10)
  await recordMinute(database.db)
  expect([99.9, 99.8]).toContain(Math.round(10 * ((await percent()) ?? 0)) / 10)
})

test('only the last 30 days count, and a day on which nothing answered counts too', async () => {
  await measured(60 * 24 * 60, 1)
  await measured(24 * 60, 24 * 60)
  const { since, percent: share } = await availability(database.db, 99.9)
  expect(Date.now() - Date.parse(since ?? '')).toBeLessThan(30 * 86_400_000)
  expect(share).toBeGreaterThan(3)
  expect(share).toBeLessThan(3.6)
})

test('a minute does not count while the store is down', async () => {
  let isDown = true
  const checked = Promise.withResolvers<void>()
  const check = async (): Promise<void> => {
    if (isDown) checked.resolve()
    if (isDown) throw new Error('down')
  }
  // The meter asks nothing else of the store.
  const storage = { check } as unknown as Parameters<typeof createAvailabilityMeter>[0]['storage']
  const meter = createAvailabilityMeter({ db: database.db, storage, log: createLog('silent') })
  meter.start()
  await checked.promise
  meter.close()
  expect(await days()).toEqual([])
  isDown = false
  meter.start()
  await expect.poll(days).toEqual([{ minutes: 1 }])
  meter.close()
})

test('days are kept for 400 days', async () => {
  await database.pool.query(
    `insert into availability_days (day, first_minute, last_minute, minutes)
     select (now() at time zone 'utc')::date - ago, now(), now(), ago from unnest(array[399, 402]) as ago`,
  )
  await deleteOldAvailability(database.db)
  expect(await days()).toEqual([{ minutes: 399 }])
})
