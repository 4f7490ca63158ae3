import { parseCronItems } from 'graphile-worker'
import { expect, test } from 'vitest'
import { concurrencyOf, jobRules, jobSchedule, jobsOf, workerGroupNames } from './jobs.ts'

test('every job runs in one group', () => {
  expect(workerGroupNames.flatMap(jobsOf).toSorted()).toEqual(Object.keys(jobRules).toSorted())
})

test('only the groups of photos grow with the number of image processes', () => {
  const concurrencies = (photoConcurrency: number) =>
    Object.fromEntries(workerGroupNames.map((group) => [group, concurrencyOf[group](photoConcurrency)]))
  expect(concurrencies(12)).toEqual({ ...concurrencies(3), photos: 12, 'slow-photos': 12 })
  expect(concurrencies(3).photos).toBe(3)
})

test('the jobs that run by the clock are valid, and no upload waits for them', () => {
  expect(parseCronItems(jobSchedule)).toHaveLength(jobSchedule.length)
  for (const { task } of jobSchedule) expect([...jobsOf('maintenance'), ...jobsOf('payments')]).toContain(task)
})
