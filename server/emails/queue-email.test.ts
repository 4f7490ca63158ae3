import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { emailLimits } from '@keepsnap/contract/limits.ts'
import { newId } from '../lib/ids.ts'
import { findDueTime, queueEmail } from './queue-email.ts'
import { emailFixture } from './test/email-fixture.ts'

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
