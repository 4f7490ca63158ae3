import { readdir } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Mail } from '../../ports/mail/mail.ts'
import { outboxMail } from '../../ports/mail/outbox.ts'
import { scratchFolder } from '../../test/child-processes.ts'
import { removeJobs } from '../../test/harness.ts'
import { cleanUpEmails } from './stored-emails.ts'
import { emailFixture } from '../../test/email-fixture.ts'

const emails = emailFixture()
let folder: string
let mail: Mail
beforeAll(async () => {
  folder = scratchFolder(afterAll)
  mail = await outboxMail(folder, { maxBytes: Infinity })
})

test('sends due emails that have lost their job', async () => {
  const id = await emails.queue()
  await removeJobs(emails.pool)
  await cleanUpEmails(emails)
  await emails.createSender(mail).runJobs()
  expect((await emails.row(id)).state).toBe('queued')
  await emails.update("due_at = now() - interval '3 minutes'")
  await cleanUpEmails(emails)
  await emails.createSender(mail).runJobs()
  expect((await emails.row(id)).state).toBe('sent')
})

test('deletes emails and their files after 90 days, but no queued ones', async () => {
  const set = (id: string, state: string, days: number) =>
    sql`update emails set state = ${state}, due_at = now() - make_interval(days => ${days}) where id = ${id}`.execute(
      emails.db,
    )
  const [sent, failed, queued, recent] = [
    await emails.queue(),
    await emails.queue(),
    await emails.queue(),
    await emails.queue(),
  ]
  await emails.createSender(mail).runJobs()
  expect(await readdir(folder)).toContain(`${sent}.eml`)
  await set(sent, 'sent', 91)
  await set(failed, 'failed', 91)
  await set(queued, 'queued', 91)
  await set(recent, 'sent', 89)
  await cleanUpEmails(emails)
  await emails.createSender(mail).runJobs()
  const left = await emails.db.selectFrom('emails').select('id').execute()
  expect(left.map(({ id }) => id).toSorted()).toEqual([queued, recent].toSorted())
  const files = await readdir(folder)
  expect([sent, failed, recent].map((id) => files.includes(`${id}.eml`))).toEqual([false, false, true])
})
