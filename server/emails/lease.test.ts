import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startMailServer } from '../test/smtp-server.ts'
import { leaseEmail, type EmailLease } from './lease.ts'
import { createEmailFixture, testSmtpMail, type EmailFixture } from './test/email-fixture.ts'

let emails: EmailFixture
const cleanups: (() => void | Promise<void>)[] = []
beforeAll(async () => {
  emails = await createEmailFixture((work) => void cleanups.push(work))
})
afterAll(async () => {
  for (const cleanUp of cleanups) await cleanUp()
})
beforeEach(() => emails.clear())

const leaseNow = (id: string, holdUnverified = false): Promise<EmailLease | undefined> =>
  emails.db.transaction().execute((tx) => leaseEmail(tx, id, holdUnverified))
const minutesUntil = (date: Date | null): number => ((date?.getTime() ?? 0) - Date.now()) / 60_000

test('an email that is leased is retried after the lease, which lasts five minutes', async () => {
  const id = await emails.queue()
  expect(await leaseNow(id)).toMatchObject({ attempt: { id, attempts: 1 } })
  const second = await leaseNow(id)
  expect(second).toEqual({ retryAt: expect.any(Date) })
  expect(minutesUntil(second && 'retryAt' in second ? second.retryAt : null)).toBeCloseTo(5, 0)
  await emails.update("leased_until = now() - interval '1 second'")
  expect(await leaseNow(id)).toMatchObject({ attempt: { id, attempts: 2 } })
})

test('an email that is not due yet is retried when it is due', async () => {
  const dueAt = new Date(Date.now() + 3_600_000)
  const id = await emails.queue({ dueAt })
  expect(await leaseNow(id)).toEqual({ retryAt: dueAt })
})

test('nothing is left to do for an email that was sent or deleted', async () => {
  const id = await emails.queue()
  await emails.update("state = 'sent'")
  expect(await leaseNow(id)).toBeUndefined()
  expect(await leaseNow('missing')).toBeUndefined()
})

test('the limits of an address also hold for emails that were delayed for hours', async () => {
  const server = await startMailServer(onTestFinished)
  for (let n = 0; n < 7; n++) await emails.queue({ recipient: 'ann@guest.test' })
  await emails.update("due_at = now() - interval '1 minute'")
  await emails.createSender(testSmtpMail(onTestFinished, server.port)).runJobs()
  expect(server.received).toHaveLength(3)
  const waiting = await emails.db.selectFrom('emails').selectAll().where('state', '=', 'queued').execute()
  expect(waiting.map(({ due_at: due, attempts }) => [Math.round(minutesUntil(due)), attempts])).toEqual(
    Array.from({ length: 4 }, () => [60, 0]),
  )
})
