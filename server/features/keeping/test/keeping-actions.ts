import type { SubscriptionStatus } from '@keepsnap/contract/billing.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { TestServer } from '../../../test/harness.ts'
import { grantPlan, makeUser, type TestUser } from '../../../test/test-data.ts'
import { photoActions, photoFile } from '../../photos/test/photo-actions.ts'

export const gigabyte = 1024 ** 3

/** Actions for tests of the countdown to the removal of photos. */
export function keepingActions(serverOfTest: () => TestServer) {
  const query = async <T = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await serverOfTest().app.deps.pool.query(text, values)).rows
  const { uploaded } = photoActions(serverOfTest)

  /** Runs all queued jobs; then sends emails that waited for their archive, and runs the jobs that these enqueue. */
  const runAllJobs = async (): Promise<void> => {
    await serverOfTest().work()
    for (let round = 0; round < 2; round++) {
      await query("update emails set due_at = now() where state = 'queued' and not server_unreachable")
      await query(
        "update graphile_worker._private_jobs set run_at = now() where key like 'email:%' and locked_at is null",
      )
      await serverOfTest().work()
    }
  }

  /** Runs the hourly job, and the jobs that it enqueues. */
  const runRemovalJob = async (): Promise<void> => {
    await query("select graphile_worker.add_job('check-kept-photos', '{}'::json, job_key => 'check-kept-photos')")
    await runAllJobs()
  }

  return {
    query,
    runAllJobs,
    runRemovalJob,
    /** A user with a plan, and as many processed photos of a size, oldest first; their ids. */
    async userWithPhotos(
      count: number,
      gigabytesEach: number,
      plan: 'free' | 'pro_monthly' | 'pro_yearly' = 'pro_monthly',
    ) {
      const user = await makeUser(serverOfTest())
      await grantPlan(serverOfTest(), user, plan)
      const ids: string[] = []
      for (let n = 0; n < count; n++) ids.push((await uploaded(user, photoFile)).id)
      await serverOfTest().work()
      // Only the recorded sizes change. The first photo is the oldest.
      for (const [n, id] of ids.entries())
        await query(
          `update photos set full_bytes = $2, thumb_bytes = 0, created_at = now() - make_interval(hours => $3) where id = $1`,
          [id, Math.round(gigabytesEach * gigabyte), 100 - n],
        )
      return { user, ids }
    },
    /** Ends the plan as an operator does. */
    async endPlan(user: TestUser): Promise<void> {
      await grantPlan(serverOfTest(), user, 'free')
      await runAllJobs()
    },
    /** Simulates that days have passed for the photos of a user, by moving their timestamps into the past. */
    async passDays(user: TestUser, days: number): Promise<void> {
      const past = (column: string): string => `${column} = ${column} - make_interval(days => $2)`
      await query(`update photo_keeping set ${past('starts_at')} where user_id = $1`, [user.id, days])
      await query(`update photo_keeping_emails set ${past('accepted_at')}, ${past('queued_at')} where user_id = $1`, [
        user.id,
        days,
      ])
      await query(`update photo_removals set ${past('restorable_until')}, ${past('removed_at')} where user_id = $1`, [
        user.id,
        days,
      ])
      await runRemovalJob()
    },
    idsOf: async (user: TestUser): Promise<string[]> =>
      (await serverOfTest().request({ method: 'GET', url: '/photos', token: user.token }))
        .json<Photo[]>()
        .map(({ id }) => id)
        .toReversed(),
    statusOf: async ({ token }: TestUser): Promise<SubscriptionStatus> =>
      (await serverOfTest().request({ method: 'GET', url: '/subscriptions/status', token })).json(),
    restore: ({ token }: TestUser) =>
      serverOfTest().request({ method: 'POST', url: '/user/removed-photos/restore', token }),
    /** The days of the emails that were accepted. */
    acceptedDays: async (user: TestUser): Promise<number[]> =>
      (
        await query<{ day: number }>(
          'select day from photo_keeping_emails where user_id = $1 and accepted_at is not null order by day',
          [user.id],
        )
      ).map(({ day }) => day),
  }
}
