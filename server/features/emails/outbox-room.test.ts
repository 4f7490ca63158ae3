import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { outboxMail } from '../../ports/mail/outbox.ts'
import { scratchFolder } from '../../test/child-processes.ts'
import { emailFixture } from '../../test/email-fixture.ts'

const emails = emailFixture()
let folder: string
beforeEach(() => void (folder = scratchFolder(onTestFinished)))

/** What makes the folder full: it has less room than an email with a photo and a logo may need. */
const filler = 'operator-kept-this.eml'
const openFullOutbox = async (fillerBytes = 200_001) => {
  await writeFile(join(folder, filler), Buffer.alloc(fillerBytes))
  const roomForOne = 3 * 1024 * 1024
  return outboxMail(folder, { maxBytes: roomForOne + 200_000, minFreeBytes: 0 })
}
/** An email that was kept as a file some days ago. `fileBytes` is null for those of earlier versions. */
async function addFile(kind: string, days: number, fileBytes: number | null): Promise<string> {
  const id = await emails.queue()
  await sql`update emails set kind = ${kind}, state = 'sent', sent_at = now() - make_interval(days => ${days}),
    file_bytes = ${fileBytes} where id = ${id}`.execute(emails.db)
  await writeFile(join(folder, `${id}.eml`), Buffer.alloc(1_000))
  return id
}
const files = async (): Promise<string[]> => (await readdir(folder)).toSorted()
const eml = (ids: string[]): string[] => ids.map((id) => `${id}.eml`)

test('a full folder makes room by removing emails with photos older than a week, and nothing else', async () => {
  const old = [await addFile('photo', 8, 1_000), await addFile('photo', 30, 1_000)]
  const kept = [
    await addFile('photo', 6, 1_000),
    await addFile('photo', 30, null),
    await addFile('verify', 60, 1_000),
    await addFile('report', 60, 1_000),
  ]
  const mail = await openFullOutbox(195_000)
  const id = await emails.queue()
  await emails.createSender(mail).runJobs()
  expect(await emails.row(id)).toMatchObject({ state: 'sent', failure: null, file_bytes: expect.any(Number) })
  expect(await files()).toEqual([...eml([...kept, id]), filler].toSorted())
  expect(await emails.row(old[0]!)).toMatchObject({ state: 'sent', failure: expect.stringContaining('to make room') })
})

test('opening a full folder removes nothing', async () => {
  const old = [await addFile('photo', 8, 1_000), await addFile('photo', 30, null)]
  const mail = await openFullOutbox()
  expect(await mail.check()).toBe(false)
  expect(await files()).toEqual([...eml(old), filler].toSorted())
})

test('emails to guests wait while nothing may be removed, and are sent when there is room; other emails do not wait', async () => {
  const kept = [await addFile('photo', 6, 1_000), await addFile('photo', 30, null)]
  const mail = await openFullOutbox()
  const sender = emails.createSender(mail)
  const id = await emails.queue()
  await sender.runJobs()
  const waiting = { state: 'queued', server_unreachable: true, failure: expect.stringContaining('folder is full') }
  expect(await emails.row(id)).toMatchObject(waiting)
  expect(emails.statusChanges).toMatchObject([{ id, ...waiting }])
  await sender.retryAwaitingServer()
  expect(await emails.row(id)).toMatchObject(waiting)
  expect(await files()).toEqual([...eml(kept), filler].toSorted())

  await rm(join(folder, filler))
  await sender.retryAwaitingServer()
  await sender.runJobs()
  expect(await emails.row(id)).toMatchObject({ state: 'sent', failure: null, server_unreachable: false })
})

test('an email that waited for room for 48 hours fails with the reason', async () => {
  const sender = emails.createSender(await openFullOutbox())
  const id = await emails.queue()
  await emails.update("give_up_at = now() - interval '1 second'")
  await sender.runJobs()
  const failure = expect.stringMatching(/could not be sent for 48 hours\. The outbox folder is full/)
  expect(await emails.row(id)).toMatchObject({ state: 'failed', failure })
})
