import { parseCronItems } from 'graphile-worker'
import { expect, test } from 'vitest'
import { jobSchedule, jobsOf } from './jobs.ts'

test('the jobs that run by the clock are valid, and no upload waits for them', () => {
  expect(parseCronItems(jobSchedule)).toHaveLength(jobSchedule.length)
  for (const { task } of jobSchedule) expect([...jobsOf('maintenance'), ...jobsOf('payments')]).toContain(task)
})
