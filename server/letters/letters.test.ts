import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { letterLimits } from '@keepsnap/contract/limits.ts'
import { newId } from '../domain/ids.ts'
import type { Mail } from '../ports/mail/mail.ts'
import { smtpMail } from '../ports/mail/smtp.ts'
import { counted, report } from '../test/chance.ts'
import { parseLetter, startMailServer, type MailServer } from '../test/smtp-server.ts'
import { sweepLetters } from './queries.ts'
import { openPost, type Post } from './test/post.ts'
import { dueTime, resendLetter, writeLetter } from './write.ts'

let post: Post
let server: MailServer
let mail: Mail
const mailTo = (port: number): Mail => {
  const patience = { connect: 500, greeting: 500, silence: 500, letter: 2_000 }
  const options = { secure: false, user: undefined, secretPassword: undefined, name: 'photos.test', patience }
  const opened = smtpMail({ host: '127.0.0.1', port, ...options })
  onTestFinished(() => opened.close())
  return opened
}
const closing: (() => void | Promise<void>)[] = []
beforeAll(async () => {
  post = await openPost((work) => void closing.push(work))
})
afterAll(async () => {
  for (const close of closing) await close()
})
beforeEach(async () => {
  await post.clear()
  server = await startMailServer(onTestFinished)
  mail = mailTo(server.port)
})

const minutesUntil = (date: Date): number => (date.getTime() - Date.now()) / 60_000
const recipients = (): string[] => server.received.flatMap(({ to }) => to)
const messageIds = (): (string | undefined)[] =>
  server.received.map(({ bytes }) => /^message-id: (.*)\r$/im.exec(bytes.toString())?.[1])
/** That many letters to as many addresses. */
async function many(count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const some = Math.min(count - ids.length, 10)
    ids.push(...(await Promise.all(Array.from({ length: some }, () => post.write()))))
  }
  return ids
}

describe('a letter', () => {
  test('goes when its cause is done, and never when that comes to nothing', async () => {
    const undone = newId()
    await post.db
      .transaction()
      .execute(async (tx) => {
        await writeLetter(tx, { id: undone, kind: 'photo', email: 'undone@guest.test', facts: {} })
        throw new Error('the request broke off')
      })
      .catch(() => {})
    const id = await post.write({ email: 'Ann@guest.test', facts: { requestId: 'r1' } })
    await post.node(mail).work()
    expect(recipients()).toEqual(['Ann@guest.test'])
    expect(await post.row(id)).toMatchObject({ state: 'sent', failure: null, attempts: 1, leased_until: null })
    expect((await post.row(id)).sent_at).toBeInstanceOf(Date)
    expect(post.settled).toMatchObject([{ id, state: 'sent' }])
    const letter = await parseLetter(server.received[0]!.bytes)
    expect(letter.messageId).toBe(`<${id}@photos.test>`)
  })

  test('waits until it is due', async () => {
    const dueAt = new Date(Date.now() + 3_600_000)
    const id = await post.write({ dueAt })
    await post.node(mail).work()
    expect(server.received).toEqual([])
    await post.change("give_up_at = now() + interval '1 hour'")
    await post.node(mail).work()
    expect(server.received).toEqual([])
    expect(await post.row(id)).toMatchObject({ attempts: 0, state: 'queued' })
    await post.change('due_at = now()')
    await post.node(mail).work()
    expect(server.received).toHaveLength(1)
  })

  test('that the mail server refuses for good is over, with a sentence, and goes when it is sent again', async () => {
    server.rules.recipient = () => ({ code: 550, text: '5.1.1 no such user here at mx.inside.example' })
    const id = await post.write({ email: 'nobody@guest.test' })
    await post.node(mail).work()
    expect(await post.row(id)).toMatchObject({ state: 'failed', failure: 'This address does not exist.', attempts: 1 })
    expect(post.settled).toMatchObject([{ id, state: 'failed' }])
    await post.change('due_at = now()')
    await post.node(mail).work()
    expect((await post.row(id)).attempts).toBe(1)

    server.rules.recipient = () => undefined
    const resend = () => post.db.transaction().execute((tx) => resendLetter(tx, id))
    expect(await resend()).toBe(true)
    expect(await resend()).toBe(false)
    await post.node(mail).work()
    expect(await post.row(id)).toMatchObject({ state: 'sent', failure: null })
    expect(messageIds()).toEqual([`<${id}@photos.test>`])
    expect(await resend()).toBe(false)
  })

  test('that the mail server puts off is tried after 1, 2, 4 minutes and more, and given up after 48 hours', async () => {
    server.rules.letter = () => ({ code: 451, text: '4.3.2 not now' })
    const id = await post.write()
    const node = post.node(mail)
    for (const minutes of [1, 2, 4, 8]) {
      await node.work()
      const { due_at: due, state, failure } = await post.row(id)
      expect({ state, failure }).toEqual({ state: 'queued', failure: 'The mail server asks to try again later.' })
      expect(minutesUntil(due)).toBeGreaterThan(minutes * 0.75)
      expect(minutesUntil(due)).toBeLessThan(minutes * 1.25)
      await post.change('due_at = now()')
    }
    expect(post.settled).toHaveLength(1)
    expect(minutesUntil((await post.row(id)).give_up_at)).toBeCloseTo(48 * 60, -1)
    await post.change('give_up_at = now()')
    await node.work()
    expect(await post.row(id)).toMatchObject({
      state: 'failed',
      failure: 'It could not be sent for 48 hours. The mail server asks to try again later.',
    })
    expect(post.settled).toMatchObject([{ state: 'queued' }, { state: 'failed' }])
  })

  test('that meets a mail server nobody reaches for 48 hours says so', async () => {
    await server.stop()
    const id = await post.write()
    const node = post.node(mail)
    await node.work()
    expect(await post.row(id)).toMatchObject({ state: 'queued', unreachable: true })
    await post.change('due_at = now(), give_up_at = now()')
    await node.work()
    expect(await post.row(id)).toMatchObject({
      state: 'failed',
      failure: 'The mail server could not be reached for 48 hours.',
    })
  })

  test('whose matter is gone when it would go is not sent', async () => {
    const id = await post.write()
    await post.node(mail, { compose: async () => 'withdrawn' }).work()
    expect(server.received).toEqual([])
    expect(await post.row(id)).toMatchObject({
      state: 'failed',
      failure: 'What this letter was about is no longer there.',
    })
  })

  test('whose photo is not ready waits a moment, which counts as no attempt', async () => {
    const id = await post.write()
    let isReady = false
    const node = post.node(mail, {
      compose: async () => (isReady ? { subject: 'x', text: 'x', html: 'x' } : 'later'),
    })
    await node.work()
    expect(await post.row(id)).toMatchObject({ state: 'queued', attempts: 0, failure: null })
    expect(minutesUntil((await post.row(id)).due_at)).toBeLessThan(0.1)
    isReady = true
    await post.change('due_at = now()')
    await node.work()
    expect(await post.row(id)).toMatchObject({ state: 'sent', attempts: 1 })
  })

  test('that is too large for the mail server goes without its attachment', async () => {
    let offers = 0
    server.rules.letter = () => (offers++ === 0 ? { code: 552, text: '5.3.4 too big' } : undefined)
    const id = await post.write()
    const file = { filename: 'a.jpg', type: 'image/jpeg', open: async () => Readable.from([Buffer.alloc(9_000)]) }
    await post
      .node(mail, {
        compose: async (_row, _tx, { attach }) => ({
          subject: 'x',
          text: attach ? 'attached' : 'by link',
          html: 'x',
          attachments: attach ? [file] : [],
        }),
      })
      .work()
    expect(await post.row(id)).toMatchObject({ state: 'sent', attempts: 1 })
    const letter = await parseLetter(server.received[0]!.bytes)
    expect(letter.text?.trim()).toBe('by link')
    expect(letter.attachments).toEqual([])
  })

  test('that cannot be written because of a bug or a store that is away is not lost', async () => {
    const id = await post.write()
    let isBroken = true
    const node = post.node(mail, {
      compose: async () => {
        if (isBroken) throw new Error('the store is away')
        return { subject: 'x', text: 'x', html: 'x' }
      },
    })
    await node.work()
    expect(await post.row(id)).toMatchObject({
      state: 'queued',
      unreachable: false,
      failure: 'Something went wrong here while it was being written.',
    })
    isBroken = false
    await post.change('due_at = now()')
    await node.work()
    expect((await post.row(id)).state).toBe('sent')
  })

  test('leaves nothing in its job but its id', async () => {
    const id = await post.write({ email: 'canary@guest.test', facts: { requestId: 'canary' } })
    const { rows } = await sql`select payload, key from graphile_worker._private_jobs`.execute(post.db)
    expect(rows).toEqual([{ payload: { letterId: id }, key: `letter:${id}` }])
  })
})

describe('no letter goes twice', () => {
  test('when two nodes are told to send it at once', async () => {
    const id = await post.write()
    const nodes = [post.node(mail), post.node(mailTo(server.port))]
    await Promise.all(nodes.flatMap((node) => [node.send(id), node.send(id), node.send(id)]))
    expect(server.received).toHaveLength(1)
    expect(await post.row(id)).toMatchObject({ state: 'sent', attempts: 1 })
  })

  test(
    'when two nodes work through many, each with jobs told twice',
    async () => {
      const ids = await many(counted(120, 2_000))
      const nodes = [post.node(mail), post.node(mailTo(server.port))]
      await Promise.all([...nodes.map((node) => node.work()), ...ids.slice(0, 40).map((id) => nodes[0]!.send(id))])
      expect(server.received).toHaveLength(ids.length)
      expect(new Set(recipients()).size).toBe(ids.length)
    },
    counted(20_000, 600_000),
  )

  test('but when its program dies after the mail server took it: then both have one Message-ID', async () => {
    const id = await post.write()
    const accepted = Promise.withResolvers<void>()
    const dying: Mail = {
      ...mail,
      async send(message) {
        await mail.send(message)
        accepted.resolve()
        return new Promise(() => {})
      },
    }
    void post.node(dying).send(id)
    await accepted.promise
    const node = post.node(mail)
    await node.send(id)
    expect(server.received).toHaveLength(1)
    expect(minutesUntil((await post.row(id)).leased_until!)).toBeLessThan(5.1)

    await post.change("leased_until = now() - interval '1 second'")
    await node.work()
    expect(await post.row(id)).toMatchObject({ state: 'sent', attempts: 2 })
    expect(messageIds()).toEqual([`<${id}@photos.test>`, `<${id}@photos.test>`])
  })

  test('and an attempt that was overtaken changes nothing any more', async () => {
    const id = await post.write()
    let finish = (): void => {}
    const slow: Mail = {
      ...mail,
      send: () =>
        new Promise((resolve) => (finish = () => resolve({ kind: 'refused', reason: 'late', tooLarge: false }))),
    }
    const late = post.node(slow).send(id)
    while ((await post.row(id)).attempts === 0) await delay(5)
    await delay(20)
    await post.change("leased_until = now() - interval '1 second'")
    await post.node(mail).work()
    finish()
    await late
    expect(await post.row(id)).toMatchObject({ state: 'sent', failure: null })
    expect(post.settled).toHaveLength(1)
  })
})

describe('when the mail server was away', () => {
  const count = counted(150, 5_000)

  test(
    `${count} letters go at once when it is back, each once`,
    async () => {
      await server.stop()
      await many(count)
      const node = post.node(mail)
      await node.work()
      await node.wake()
      const waiting = await post.db.selectFrom('letters').selectAll().where('unreachable', '=', true).execute()
      expect(waiting).toHaveLength(count)
      expect(Math.max(...waiting.map(({ due_at: due }) => minutesUntil(due)))).toBeGreaterThan(0.5)

      server = await startMailServer(onTestFinished, { port: server.port })
      const other = post.node(mailTo(server.port))
      const began = performance.now()
      await other.wake()
      await Promise.all([node.work(), other.work()])
      report(`${count} letters drained in ${((performance.now() - began) / 1000).toFixed(1)} s`)
      expect(new Set(recipients()).size).toBe(count)
      expect(server.received).toHaveLength(count)
    },
    counted(20_000, 600_000),
  )

  test('the first letter that goes again takes the others with it', async () => {
    await server.stop()
    await Promise.all(Array.from({ length: 5 }, () => post.write()))
    const node = post.node(mail)
    await node.work()
    server = await startMailServer(onTestFinished, { port: server.port })
    await post.write()
    await node.work()
    await node.work()
    expect(server.received).toHaveLength(6)
  })

  test('letters that it put off for their own sake stay put off', async () => {
    server.rules.letter = () => ({ code: 451, text: '4.7.1 greylisted' })
    const id = await post.write()
    const node = post.node(mail)
    await node.work()
    server.rules.letter = () => undefined
    await node.wake()
    await node.work()
    expect(await post.row(id)).toMatchObject({ state: 'queued', attempts: 1 })
  })
})

describe('the limits', () => {
  const ask = (emailKey: string, { owner, photo } = post) =>
    post.db.transaction().execute(async (tx) => {
      const dueAt = await dueTime(tx, { emailKey, photoId: photo, ownerId: owner })
      if (!(dueAt instanceof Date)) return dueAt
      const letter = { id: newId(), kind: 'photo', userId: owner, photoId: photo, email: emailKey, facts: {} } as const
      await writeLetter(tx, { ...letter, dueAt })
      return Math.abs(Math.round(minutesUntil(dueAt) / 60))
    })
  const fill = (count: number, email: string, ago: string, { owner, photo } = post) =>
    sql`insert into letters (id, kind, user_id, photo_id, email, email_key, state, due_at, give_up_at)
      select 'old-' || ${newId()} || n, 'photo', ${owner}, ${photo}, ${sql.raw(email)}, ${sql.raw(email)}, 'sent', now() - ${ago}::interval, now()
      from generate_series(1, ${count}) as n`.execute(post.db)

  test('of one address hold exactly, however many ask at once: 3 an hour, 10 a day, 48 hours ahead', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask('ann@guest.test')))
    const accepted = answers.filter((answer) => typeof answer === 'number').toSorted((a, b) => a - b)
    expect(accepted).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 24, 24, 24, 25, 25, 25, 26, 26, 26, 27, 48, 48, 48])
    expect(new Set(answers.filter((answer) => typeof answer === 'string'))).toEqual(new Set(['address']))
    expect(await ask('ben@guest.test')).toBe(0)
    await post.node(mail).work()
    expect(recipients().filter((to) => to === 'ann@guest.test')).toHaveLength(3)
  })

  test('of one address hold also after the mail server was away for hours', async () => {
    await Promise.all(Array.from({ length: 7 }, () => ask('ann@guest.test')))
    await post.change("due_at = now() - interval '1 minute'")
    const node = post.node(mail)
    await node.work()
    expect(server.received).toHaveLength(3)
    const waiting = await post.db.selectFrom('letters').selectAll().where('state', '=', 'queued').execute()
    expect(waiting.map(({ due_at: due, attempts }) => [Math.round(minutesUntil(due)), attempts])).toEqual(
      Array.from({ length: 4 }, () => [60, 0]),
    )
  })

  test('of a photo and of an owner hold, and others go on', async () => {
    const [other, third] = [await post.addPhoto(), await post.addPhoto()]
    await fill(letterLimits.perPhotoDay, 'n::text', '2 hours')
    expect(await ask('ann@guest.test')).toBe(22)
    expect(await ask('ann@guest.test', { ...post, ...other })).toBe(0)
    await fill(letterLimits.perOwnerDay, 'n::text', '3 hours', { ...post, owner: other.owner, photo: post.photo })
    expect(await ask('ben@guest.test', { ...post, ...other })).toBe(21)
    expect(await ask('ben@guest.test', { ...post, ...third })).toBe(0)
  })

  test('of an owner refuse only what would wait longer than two days', async () => {
    await fill(letterLimits.perOwnerDay, 'n::text', '-30 hours')
    expect(await ask('ann@guest.test')).toBe('photo')
    const other = await post.addPhoto()
    expect(await ask('ann@guest.test', { ...post, photo: other.photo })).toBe('owner')
  })
})

describe('the sweep', () => {
  test('finds letters that no job will come for', async () => {
    const id = await post.write()
    await sql`delete from graphile_worker._private_jobs`.execute(post.db)
    await sweepLetters({ db: post.db, mail })
    await post.node(mail).work()
    expect(server.received).toEqual([])
    await post.change("due_at = now() - interval '3 minutes'")
    await sweepLetters({ db: post.db, mail })
    await post.node(mail).work()
    expect((await post.row(id)).state).toBe('sent')
  })

  test('forgets letters after 90 days, but none that is still to go', async () => {
    const [sent, failed, queued, fresh] = [
      await post.write(),
      await post.write(),
      await post.write(),
      await post.write(),
    ]
    const set = (id: string, state: string, days: number) =>
      sql`update letters set state = ${state}, due_at = now() - make_interval(days => ${days}) where id = ${id}`.execute(
        post.db,
      )
    await set(sent, 'sent', 91)
    await set(failed, 'failed', 91)
    await set(queued, 'queued', 91)
    await set(fresh, 'sent', 89)
    await sweepLetters({ db: post.db, mail })
    const left = await post.db.selectFrom('letters').select('id').execute()
    expect(left.map(({ id }) => id).toSorted()).toEqual([queued, fresh].toSorted())
  })
})
