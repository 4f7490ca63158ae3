import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { emailLimits } from '@keepsnap/contract/limits.ts'
import { newId } from '../../lib/ids.ts'
import { emailFixture } from '../../test/email-fixture.ts'
import { computeDueTime, type EmailLimitState, findDueTime, queueEmail, retryDelayMs } from './queue-email.ts'

describe('queue email', () => {
  const emails = emailFixture()

  interface About {
    owner: string
    photo: string
  }

  /** Requests a photo for an address: the hours until its email is due, or the limit that refuses it. */
  const requestEmail = (address: string, { owner, photo }: About = emails): Promise<number | string> =>
    emails.db.transaction().execute(async (tx) => {
      const dueAt = await findDueTime(tx, { email: address, photoId: photo, ownerId: owner })
      if (!(dueAt instanceof Date)) return dueAt
      const about = { userId: owner, photoId: photo, recipient: address, payload: {}, dueAt }
      await queueEmail(tx, { id: newId(), kind: 'photo', ...about })
      return Math.abs(Math.round((dueAt.getTime() - Date.now()) / 3_600_000))
    })
  /** Adds emails that were sent some time ago, each to another address. */
  const addSent = (count: number, ago: string, { owner, photo }: About = emails) =>
    sql`insert into emails (id, kind, user_id, photo_id, recipient, recipient_key, state, due_at, give_up_at)
    select 'old-' || ${newId()} || n, 'photo', ${owner}, ${photo}, n::text, n::text, 'sent', now() - ${ago}::interval, now()
    from generate_series(1, ${count}) as n`.execute(emails.db)

  test('an email and its job exist only if the transaction commits, and the job contains only the id', async () => {
    await emails.db
      .transaction()
      .execute(async (tx) => {
        await queueEmail(tx, { id: newId(), kind: 'photo', recipient: 'undone@guest.test', payload: {} })
        throw new Error('the transaction fails')
      })
      .catch(() => {})
    const id = await emails.queue({ recipient: 'canary@guest.test', payload: { requestId: 'canary' } })
    const { rows: jobs } = await sql`select payload, key from graphile_worker._private_jobs`.execute(emails.db)
    expect(jobs).toEqual([{ payload: { emailId: id }, key: `email:${id}` }])
    const { rows } = await sql`select id from emails`.execute(emails.db)
    expect(rows).toEqual([{ id }])
  })

  describe('the limits', () => {
    test('of an address hold for concurrent requests: 3 an hour, 10 a day, 48 hours ahead', async () => {
      const answers = await Promise.all(Array.from({ length: 60 }, () => requestEmail('ann@guest.test')))
      const accepted = answers.filter((answer) => typeof answer === 'number').toSorted((a, b) => a - b)
      expect(accepted).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 24, 24, 24, 25, 25, 25, 26, 26, 26, 27, 48, 48, 48])
      expect(new Set(answers.filter((answer) => typeof answer === 'string'))).toEqual(new Set(['address']))
      expect(await requestEmail('ben@guest.test')).toBe(0)
    })

    test('of a photo and of an owner do not affect other photos and owners', async () => {
      const [other, third] = [await emails.addPhoto(), await emails.addPhoto()]
      await addSent(emailLimits.perPhotoDay, '2 hours')
      expect(await requestEmail('ann@guest.test')).toBe(22)
      expect(await requestEmail('ann@guest.test', other)).toBe(0)
      await addSent(emailLimits.perOwnerDay, '3 hours', { owner: other.owner, photo: emails.photo })
      expect(await requestEmail('ben@guest.test', other)).toBe(21)
      expect(await requestEmail('ben@guest.test', third)).toBe(0)
    })

    test('of a photo and of an owner refuse emails that would wait longer than two days', async () => {
      await addSent(emailLimits.perOwnerDay, '-30 hours')
      expect(await requestEmail('ann@guest.test')).toBe('photo')
      const other = await emails.addPhoto()
      expect(await requestEmail('ann@guest.test', { owner: emails.owner, photo: other.photo })).toBe('owner')
    })
  })
})

describe('schedule', () => {
  const now = new Date('2026-05-01T12:00:00Z')
  const at = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000)
  const empty: EmailLimitState = { addressHour: null, addressDay: null, photoDay: null, ownerDay: null }

  describe('an email is due', () => {
    test.each<[string, Partial<EmailLimitState>, Date | string]>([
      ['now when no limit is reached', {}, at(0)],
      ['now when the windows have passed', { addressHour: at(-1.01), addressDay: at(-25) }, at(0)],
      ['an hour after the third newest email to its address', { addressHour: at(-0.25) }, at(0.75)],
      ['a day after the tenth newest email to its address', { addressHour: at(-0.5), addressDay: at(-4) }, at(20)],
      ['a day after the photo’s thousandth newest email', { photoDay: at(-1) }, at(23)],
      ['a day after the owner’s five thousandth newest email', { ownerDay: at(-2) }, at(22)],
      ['when the last window has room', { addressDay: at(-10), photoDay: at(-9), ownerDay: at(-12) }, at(15)],
      ['after the emails that are waiting', { addressHour: at(46) }, at(47)],
      ['in 48 hours at the latest', { photoDay: at(24) }, at(48)],
    ])('%s', (_, state, due) => {
      expect(computeDueTime(now, { ...empty, ...state })).toEqual(due)
    })
  })

  describe('an email is refused', () => {
    test.each<[string, Partial<EmailLimitState>, string]>([
      ['when its address has no room for 48 hours', { addressHour: at(47.1) }, 'address'],
      ['when its photo has no room for 48 hours', { photoDay: at(24.1), addressDay: at(20) }, 'photo'],
      ['for its photo also when its address has no room either', { photoDay: at(24.1), addressDay: at(30) }, 'photo'],
      ['when its owner has no room for 48 hours', { ownerDay: at(24.1) }, 'owner'],
    ])('%s', (_, state, limit) => {
      expect(computeDueTime(now, { ...empty, ...state })).toBe(limit)
    })
  })

  test('the delay between attempts doubles from a minute to six hours, with 20 % of jitter', () => {
    expect([1, 2, 3, 4, 9, 10, 11, 500].map((attempts) => retryDelayMs(attempts, 0.5) / 60_000)).toEqual([
      1, 2, 4, 8, 256, 360, 360, 360,
    ])
    expect([retryDelayMs(1, 0), retryDelayMs(1, 1)]).toEqual([48_000, 72_000])
  })
})
