import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { emailLimits } from '@keepsnap/contract/limits.ts'
import { newId } from '../../lib/ids.ts'
import type { Mail, SendResult } from '../../ports/mail/mail.ts'
import { outboxMail } from '../../ports/mail/outbox.ts'
import { createLog } from '../../platform/process/log.ts'
import { scratchFolder } from '../../test/child-processes.ts'
import { emailFixture, testSmtpMail } from '../../test/email-fixture.ts'
import { removeJobs } from '../../test/harness.ts'
import { type MailServer, parseEmail, startMailServer } from '../../test/smtp-server.ts'
import { logWithSeed, repetitions } from '../../test/statistics.ts'
import { WithdrawnContent } from './compose.ts'
import { findDueTime, queueEmail, resendEmail, retryDelayMs } from './queue-email.ts'
import { cleanUpEmails } from './stored-emails.ts'

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

test('the delay between attempts doubles from a minute to six hours, with 20 % of jitter', () => {
  expect([1, 2, 3, 4, 9, 10, 11, 500].map((attempts) => retryDelayMs(attempts, 0.5) / 60_000)).toEqual([
    1, 2, 4, 8, 256, 360, 360, 360,
  ])
  expect([retryDelayMs(1, 0), retryDelayMs(1, 1)]).toEqual([48_000, 72_000])
})

describe('sending', () => {
  let server: MailServer
  let mail: Mail
  beforeEach(async () => {
    server = await startMailServer(onTestFinished)
    mail = testSmtpMail(onTestFinished, server.port)
  })

  const minutesUntil = (date: Date | null, fromMs = Date.now()): number => ((date?.getTime() ?? 0) - fromMs) / 60_000
  const recipients = (): string[] => server.received.flatMap(({ to }) => to)
  const messageIds = (): (string | undefined)[] =>
    server.received.map(({ bytes }) => /^message-id: (.*)\r$/im.exec(bytes.toString())?.[1])
  /** The only email that the server received. */
  const parseOnly = () => {
    const [first, ...others] = server.received
    if (!first || others.length) throw new Error(`${server.received.length} emails were received`)
    return parseEmail(first.bytes)
  }
  /** Queues this many emails to as many recipients. */
  async function queueMany(count: number): Promise<string[]> {
    const ids: string[] = []
    while (ids.length < count) {
      const size = Math.min(count - ids.length, 10)
      ids.push(...(await Promise.all(Array.from({ length: size }, () => emails.queue()))))
    }
    return ids
  }

  describe('an email', () => {
    test('is sent, and its row and composer record it', async () => {
      const id = await emails.queue({ recipient: 'Ann@guest.test', payload: { requestId: 'r1' } })
      await emails.createSender(mail).runJobs()
      expect(recipients()).toEqual(['Ann@guest.test'])
      const row = { state: 'sent', failure: null, attempts: 1, leased_until: null, sent_at: expect.any(Date) }
      expect(await emails.row(id)).toMatchObject(row)
      expect(emails.statusChanges).toMatchObject([{ id, state: 'sent' }])
      expect((await parseOnly()).messageId).toBe(`<${id}@photos.test>`)
    })

    test('is not sent before it is due', async () => {
      const id = await emails.queue({ dueAt: new Date(Date.now() + 3_600_000) })
      const sender = emails.createSender(mail)
      await sender.runJobs()
      await emails.update("give_up_at = now() + interval '1 hour'")
      await sender.runJobs()
      expect(server.received).toEqual([])
      expect(await emails.row(id)).toMatchObject({ attempts: 0, state: 'queued' })
      await emails.update('due_at = now()')
      await sender.runJobs()
      expect(server.received).toHaveLength(1)
    })

    test('that the mail server refuses fails with a sentence, and can be sent again', async () => {
      server.rules.recipient = () => ({ code: 550, text: '5.1.1 no such user here at mx.inside.example' })
      const id = await emails.queue({ recipient: 'nobody@guest.test' })
      const sender = emails.createSender(mail)
      await sender.runJobs()
      const failed = { state: 'failed', failure: 'This address does not exist.', attempts: 1 }
      expect(await emails.row(id)).toMatchObject(failed)
      expect(emails.statusChanges).toMatchObject([{ id, state: 'failed' }])
      await emails.update('due_at = now()')
      await sender.runJobs()
      expect(await emails.row(id)).toMatchObject(failed)

      server.rules.recipient = () => undefined
      const resend = () => emails.db.transaction().execute((tx) => resendEmail(tx, id))
      expect(await resend()).toBe(true)
      expect(await resend()).toBe(false)
      await sender.runJobs()
      expect(await emails.row(id)).toMatchObject({ state: 'sent', failure: null })
      expect(messageIds()).toEqual([`<${id}@photos.test>`])
      expect(await resend()).toBe(false)
    })

    test('that the mail server defers is retried after 1, 2, 4 and 8 minutes, and given up after 48 hours', async () => {
      server.rules.email = () => ({ code: 451, text: '4.3.2 not now' })
      const id = await emails.queue()
      const sender = emails.createSender(mail)
      for (const minutes of [1, 2, 4, 8]) {
        const startedAtMs = Date.now()
        await sender.runJobs()
        const { due_at: due, state, failure } = await emails.row(id)
        expect({ state, failure }).toEqual({ state: 'queued', failure: 'The mail server asks to try again later.' })
        expect(minutesUntil(due, startedAtMs)).toBeGreaterThan(minutes * 0.75)
        expect(minutesUntil(due)).toBeLessThan(minutes * 1.25)
        await emails.update('due_at = now()')
      }
      expect(emails.statusChanges).toHaveLength(1)
      expect(minutesUntil((await emails.row(id)).give_up_at)).toBeCloseTo(48 * 60, -1)
      await emails.update('give_up_at = now()')
      await sender.runJobs()
      expect(await emails.row(id)).toMatchObject({
        state: 'failed',
        failure: 'The email could not be sent for 48 hours. The mail server asks to try again later.',
      })
      expect(emails.statusChanges).toMatchObject([{ state: 'queued' }, { state: 'failed' }])
    })

    test('fails with a sentence when the mail server was unreachable for 48 hours', async () => {
      await server.stop()
      const id = await emails.queue()
      const sender = emails.createSender(mail)
      await sender.runJobs()
      expect(await emails.row(id)).toMatchObject({ state: 'queued', server_unreachable: true })
      await emails.update('due_at = now(), give_up_at = now()')
      await sender.runJobs()
      expect(await emails.row(id)).toMatchObject({
        state: 'failed',
        failure: 'The mail server could not be reached for 48 hours.',
      })
    })

    test('is not sent when what it is about no longer exists', async () => {
      const id = await emails.queue()
      await emails.createSender(mail, { compose: async () => 'obsolete' }).runJobs()
      expect(server.received).toEqual([])
      expect(await emails.row(id)).toMatchObject({
        state: 'failed',
        failure: 'The content of this email no longer exists.',
      })
    })

    test('whose photo is not ready is delayed for seconds, which counts as no attempt', async () => {
      const id = await emails.queue()
      let isReady = false
      const sender = emails.createSender(mail, {
        compose: async () => (isReady ? { subject: 'x', text: 'x', html: 'x' } : 'not ready'),
      })
      await sender.runJobs()
      expect(await emails.row(id)).toMatchObject({ state: 'queued', attempts: 0, failure: null })
      expect(minutesUntil((await emails.row(id)).due_at)).toBeLessThan(0.1)
      isReady = true
      await emails.update('due_at = now()')
      await sender.runJobs()
      expect(await emails.row(id)).toMatchObject({ state: 'sent', attempts: 1 })
    })

    test('that waits for somebody is composed again after a pause, for longer than 48 hours, which counts as no attempt', async () => {
      const id = await emails.queue()
      let isReady = false
      const sender = emails.createSender(mail, {
        compose: async () => (isReady ? { subject: 'x', text: 'x', html: 'x' } : { waitMs: 300_000 }),
      })
      for (const look of [1, 2]) {
        await emails.update("due_at = now(), give_up_at = now() - interval '1 hour'")
        await sender.runJobs()
        const { due_at: due, give_up_at: end, ...row } = await emails.row(id)
        expect(row).toMatchObject({ state: 'queued', attempts: 0, failure: null, leased_until: null })
        expect(minutesUntil(due)).toBeCloseTo(5, 0)
        expect(minutesUntil(end)).toBeCloseTo(48 * 60 + 5, -1)
        expect(emails.statusChanges).toHaveLength(look)
      }
      isReady = true
      await emails.update('due_at = now()')
      await sender.runJobs()
      expect(await emails.row(id)).toMatchObject({ state: 'sent', attempts: 1 })
    })

    test('that is too large for the mail server is sent without its attachment', async () => {
      let offers = 0
      server.rules.email = () => (offers++ === 0 ? { code: 552, text: '5.3.4 too big' } : undefined)
      const id = await emails.queue()
      const file = { filename: 'a.jpg', type: 'image/jpeg', open: async () => Readable.from([Buffer.alloc(9_000)]) }
      const sender = emails.createSender(mail, {
        compose: async (_row, _tx, { attach }) => ({
          subject: 'x',
          text: attach ? 'attached' : 'by link',
          html: 'x',
          attachments: attach ? [file] : [],
        }),
      })
      await sender.runJobs()
      expect(await emails.row(id)).toMatchObject({ state: 'sent', attempts: 1 })
      const email = await parseOnly()
      expect(email.text?.trim()).toBe('by link')
      expect(email.attachments).toEqual([])
    })

    test('whose content is withdrawn while it is sent is composed again, which decides what becomes of it', async () => {
      const id = await emails.queue()
      const open = async () => Promise.reject(new WithdrawnContent())
      let composedTimes = 0
      const sender = emails.createSender(mail, {
        compose: async () =>
          composedTimes++ === 0
            ? { subject: 'x', text: 'x', html: 'x', attachments: [{ filename: 'a.jpg', type: 'image/jpeg', open }] }
            : { declined: 'The photo is hidden.' },
      })
      await sender.runJobs()
      expect(server.received).toEqual([])
      expect(await emails.row(id)).toMatchObject({ state: 'failed', failure: 'The photo is hidden.' })
    })

    test('is retried when composing it failed', async () => {
      const id = await emails.queue()
      let isBroken = true
      const sender = emails.createSender(mail, {
        compose: async () => {
          if (isBroken) throw new Error('the store is unavailable')
          return { subject: 'x', text: 'x', html: 'x' }
        },
      })
      await sender.runJobs()
      expect(await emails.row(id)).toMatchObject({
        state: 'queued',
        server_unreachable: false,
        failure: 'Something went wrong on our side while preparing this email.',
      })
      isBroken = false
      await emails.update('due_at = now()')
      await sender.runJobs()
      expect((await emails.row(id)).state).toBe('sent')
    })
  })

  test('the limits of an address also hold for emails that were delayed for hours', async () => {
    for (let n = 0; n < 7; n++) await emails.queue({ recipient: 'ann@guest.test' })
    await emails.update("due_at = now() - interval '1 minute'")
    await emails.createSender(mail).runJobs()
    expect(server.received).toHaveLength(3)
    const waiting = await emails.db.selectFrom('emails').selectAll().where('state', '=', 'queued').execute()
    expect(waiting.map(({ due_at: due, attempts }) => [Math.round(minutesUntil(due)), attempts])).toEqual(
      Array.from({ length: 4 }, () => [60, 0]),
    )
  })

  describe('no email is sent twice', () => {
    test(
      'by two nodes that work through a queue with duplicate jobs',
      async () => {
        const ids = await queueMany(repetitions(30, 2_000))
        const first = emails.createSender(mail)
        const second = emails.createSender(testSmtpMail(onTestFinished, server.port))
        await Promise.all([first.runJobs(), second.runJobs(), ...ids.slice(0, 15).map(first.send)])
        expect(server.received).toHaveLength(ids.length)
        expect(new Set(recipients()).size).toBe(ids.length)
      },
      repetitions(300_000, 600_000),
    )

    test('except after a crash between the server’s acceptance and the next write: then both have one Message-ID', async () => {
      const id = await emails.queue()
      const accepted = Promise.withResolvers<void>()
      const crashingMail: Mail = {
        ...mail,
        async send(message) {
          await mail.send(message)
          accepted.resolve()
          return new Promise(() => {})
        },
      }
      void emails.createSender(crashingMail).send(id)
      await accepted.promise
      const sender = emails.createSender(mail)
      await sender.send(id)
      expect(server.received).toHaveLength(1)
      expect(minutesUntil((await emails.row(id)).leased_until)).toBeLessThan(5.1)

      await emails.update("leased_until = now() - interval '1 second'")
      await sender.runJobs()
      expect(await emails.row(id)).toMatchObject({ state: 'sent', attempts: 2 })
      expect(messageIds()).toEqual([`<${id}@photos.test>`, `<${id}@photos.test>`])
    })

    test('and an attempt whose lease has expired no longer changes the row', async () => {
      const id = await emails.queue()
      const [started, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const slowMail: Mail = {
        ...mail,
        async send() {
          started.resolve()
          await finished.promise
          return { kind: 'refused', reason: 'late', tooLarge: false }
        },
      }
      const slowAttempt = emails.createSender(slowMail).send(id)
      await started.promise
      await emails.update("leased_until = now() - interval '1 second'")
      await emails.createSender(mail).runJobs()
      finished.resolve()
      await slowAttempt
      expect(await emails.row(id)).toMatchObject({ state: 'sent', failure: null })
      expect(emails.statusChanges).toHaveLength(1)
    })
  })

  test('the log says once why emails cannot be handed over, until they can', async () => {
    const lines: string[] = []
    const log = createLog('error', { write: (line) => lines.push(line) })
    const reason = 'The certificate of the mail server is not trusted.'
    let result: SendResult = { kind: 'retry', unreachable: true, reason, detail: 'self-signed certificate' }
    const sender = emails.createSender({ ...mail, send: async () => result }, {}, log)
    const attempt = async (next: SendResult) => {
      result = next
      const id = await emails.queue()
      await sender.runJobs()
      return emails.row(id)
    }
    const refused = result
    expect(await attempt(refused)).toMatchObject({ state: 'queued', failure: reason })
    await attempt(refused)
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { msg: `emails wait: ${reason} See "Emails are refused" in docs/runbook.md`, detail: 'self-signed certificate' },
    ])
    await attempt({ kind: 'sent' })
    await attempt(refused)
    expect(lines).toHaveLength(2)
    await emails.update('due_at = now(), give_up_at = now()')
    await sender.runJobs()
    expect(
      await emails.row(
        (await emails.db.selectFrom('emails').select('id').where('state', '=', 'failed').executeTakeFirstOrThrow()).id,
      ),
    ).toMatchObject({
      failure: `The email could not be sent for 48 hours. ${reason}`,
    })
  })

  describe('when the mail server was unreachable', () => {
    const count = repetitions(20, 5_000)

    test(
      `${count} emails are sent as soon as it is back, each once`,
      async () => {
        await server.stop()
        await queueMany(count)
        const sender = emails.createSender(mail)
        await sender.runJobs()
        await sender.retryAwaitingServer()
        const { rows } = await sql<{ waiting: number; latest: Date }>`
        select count(*)::int as waiting, max(due_at) as latest from emails where server_unreachable`.execute(emails.db)
        expect(rows).toEqual([{ waiting: count, latest: expect.any(Date) }])
        expect(minutesUntil(rows[0]?.latest ?? null)).toBeGreaterThan(0.5)

        server = await startMailServer(onTestFinished, { port: server.port })
        const other = emails.createSender(testSmtpMail(onTestFinished, server.port))
        const began = performance.now()
        await other.retryAwaitingServer()
        await Promise.all([sender.runJobs(), other.runJobs()])
        logWithSeed(`${count} emails sent in ${((performance.now() - began) / 1000).toFixed(1)} s`)
        expect(new Set(recipients()).size).toBe(count)
        expect(server.received).toHaveLength(count)
      },
      repetitions(300_000, 600_000),
    )

    test('the first email that is sent again makes the others due', async () => {
      await server.stop()
      await queueMany(5)
      const sender = emails.createSender(mail)
      await sender.runJobs()
      server = await startMailServer(onTestFinished, { port: server.port })
      await emails.queue()
      await sender.runJobs()
      await sender.runJobs()
      expect(server.received).toHaveLength(6)
    })

    test('emails that the server itself deferred stay deferred', async () => {
      server.rules.email = () => ({ code: 451, text: '4.7.1 greylisted' })
      const id = await emails.queue()
      const sender = emails.createSender(mail)
      await sender.runJobs()
      server.rules.email = () => undefined
      await sender.retryAwaitingServer()
      await sender.runJobs()
      expect(await emails.row(id)).toMatchObject({ state: 'queued', attempts: 1 })
    })
  })
})

describe('room in the outbox folder', () => {
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
})

describe('the clean-up', () => {
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
})
