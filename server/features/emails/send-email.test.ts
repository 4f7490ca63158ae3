import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Mail, SendResult } from '../../ports/mail/mail.ts'
import { logWithSeed, repetitions } from '../../test/statistics.ts'
import { createLog } from '../../platform/process/log.ts'
import { type MailServer, parseEmail, startMailServer } from '../../test/smtp-server.ts'
import { WithdrawnContent } from './compose.ts'
import { resendEmail } from './queue-email.ts'
import { emailFixture, testSmtpMail } from '../../test/email-fixture.ts'

const emails = emailFixture()
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
  test('by two nodes at the same time', async () => {
    const id = await emails.queue()
    const senders = [emails.createSender(mail), emails.createSender(testSmtpMail(onTestFinished, server.port))]
    await Promise.all(senders.flatMap(({ send }) => [send(id), send(id), send(id)]))
    expect(server.received).toHaveLength(1)
    expect(await emails.row(id)).toMatchObject({ state: 'sent', attempts: 1 })
  })

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
