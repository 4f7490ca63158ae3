import { describe, expect, test } from 'vitest'
import { emailLimits, limits } from '@keepsnap/contract/limits.ts'
import type { listPhotoRequests, PhotoRequest } from '@keepsnap/contract/guests.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { addPhotos, makeUser, type TestUser } from '../../test/test-data.ts'
import { useServer } from '../../test/harness.ts'
import { emailsTo } from '../../test/outbox.ts'
import { createUrls } from '../photos/urls.ts'
import { singleKey } from '../../lib/cryptography.ts'
import { roomReasons } from '../../ports/mail/outbox.ts'
import { nextRemovalDay, type RequestedPhotoRow, requestView } from './requests.ts'

describe('owner requests', () => {
  const server = useServer({}, { ownImageProcesses: false })
  const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)

  interface Owner extends TestUser {
    photo: string
  }
  async function makeOwner(): Promise<Owner> {
    const user = await makeUser(server)
    const [photo = ''] = await addPhotos(server, user, { count: 1 })
    return { ...user, photo }
  }
  interface Fields {
    photo?: string
    state?: string
    daysAgo?: number
    changes?: string
  }
  /** A request with its email, written to the database. */
  async function addRequest(owner: Owner, address: string, fields: Fields = {}): Promise<void> {
    const { photo = owner.photo, state = 'sent', daysAgo = 3, changes } = fields
    await query(
      `with email as (
       insert into emails (id, kind, user_id, photo_id, recipient, recipient_key, state, due_at, give_up_at, attempts)
       values (left(md5(random()::text), 22), 'photo', $1, $2, $3, lower($3), $4, now() - make_interval(days => $5), now() + interval '1 day', 1) returning id
     ) insert into photo_requests (id, photo_id, user_id, email_id, requester_email, requester_key, consent_version, requested_at)
     select left(md5(random()::text), 22), $2, $1, id, $3, lower($3), '1', now() - make_interval(days => $5) from email`,
      [owner.id, photo, address, state, daysAgo],
    )
    if (changes) await query(`update emails set ${changes} where user_id = $1 and recipient = $2`, [owner.id, address])
  }
  const list = async ({ token }: TestUser, search = '') => {
    const answer = await server.request({ method: 'GET', url: `/user/photo-requests?${search}`, token })
    const reply = answer.json<Reply<typeof listPhotoRequests>>()
    const names = reply.requests.map(({ requester_email }) => requester_email.split('@')[0])
    return { ...reply, names, before: answer.headers['x-next-before'] }
  }

  describe('the list of requests', () => {
    test('is searched by address, in any case and literally, and by state, in pages with the counts of what is found', async () => {
      const owner = await makeOwner()
      await addRequest(owner, 'Anna_1@example.com', { state: 'failed', daysAgo: 5 })
      await addRequest(owner, 'annax1@example.com', { daysAgo: 4 })
      await addRequest(owner, '100%\\@example.com', { daysAgo: 3 })
      await addRequest(owner, 'joanna@example.com', { state: 'failed', daysAgo: 2 })
      const all = { total: 4, sent: 2, failed: 2 }
      expect(await list(owner, 'email=ANNA')).toMatchObject({
        names: ['joanna', 'annax1', 'Anna_1'],
        total: 3,
        sent: 1,
        failed: 2,
        all,
      })
      expect(await list(owner, 'email=anna_1')).toMatchObject({ names: ['Anna_1'], total: 1, all })
      expect((await list(owner, 'email=%25')).names).toEqual(['100%\\'])
      expect((await list(owner, `email=${encodeURIComponent('%\\')}`)).names).toEqual(['100%\\'])
      expect(await list(owner, 'email=anna&state=failed')).toMatchObject({
        names: ['joanna', 'Anna_1'],
        total: 2,
        sent: 0,
      })
      const first = await list(owner, 'email=anna&state=failed&limit=1')
      expect(first).toMatchObject({ names: ['joanna'], total: 2 })
      const second = await list(owner, `email=anna&state=failed&limit=1&before=${String(first.before)}`)
      expect(second).toMatchObject({ names: ['Anna_1'], total: 2, before: undefined, next_removal: null })
      expect(await list(owner, 'email=nobody')).toMatchObject({ names: [], total: 0, sent: 0, failed: 0, all })
      expect(await list(await makeOwner(), 'email=anna')).toMatchObject({ names: [], total: 0, next_removal: null })
      for (const bad of ['email=', 'state=gone', `email=${'a'.repeat(255)}`])
        expect(
          (await server.request({ method: 'GET', url: `/user/photo-requests?${bad}`, token: owner.token })).statusCode,
        ).toBe(422)
    })

    test('is filtered by the states that it shows', async () => {
      const owner = await makeOwner()
      const [failedPhoto = ''] = await addPhotos(server, owner, { count: 1, state: 'failed' })
      const queued = { state: 'queued', changes: "due_at = now() + interval '1 hour'" }
      await addRequest(owner, 'sent@example.com')
      await addRequest(owner, 'failed@example.com', { state: 'failed' })
      await addRequest(owner, 'retried@example.com', queued)
      await addRequest(owner, 'limited@example.com', { ...queued, changes: `${queued.changes}, attempts = 0` })
      await addRequest(owner, 'unverified@example.com', {
        ...queued,
        changes: `${queued.changes}, awaits_verification = true`,
      })
      await addRequest(owner, 'retry@example.com', { ...queued, photo: failedPhoto })
      await addRequest(owner, 'full@example.com', {
        ...queued,
        changes: `${queued.changes}, failure = 'The disk is nearly full. The email waits until there is room.'`,
      })
      const stateOf = ({ requester_email, state }: PhotoRequest) => `${requester_email.split('@')[0]} ${state}`
      const found = []
      for (const state of ['sent', 'failed', 'queued', 'waiting']) {
        const page = await list(owner, `state=${state}`)
        expect(page.total).toBe(page.requests.length)
        found.push(...page.requests.map(stateOf))
      }
      const all = (await list(owner)).requests.map(stateOf)
      expect(found.toSorted()).toEqual(all.toSorted())
      expect(all.toSorted()).toEqual([
        'failed failed',
        'full waiting',
        'limited waiting',
        'retried queued',
        'retry waiting',
        'sent sent',
        'unverified waiting',
      ])
    })

    test('says on which day addresses are removed next, and how many', async () => {
      const owner = await makeOwner()
      await query("update users set time_zone = 'Pacific/Auckland' where id = $1", [owner.id])
      for (const address of ['a@example.com', 'b@example.com', 'A@example.com'])
        await addRequest(owner, address, { daysAgo: 80 })
      await addRequest(owner, 'c@example.com', { daysAgo: 78 })
      const { next_removal: next } = await list(owner)
      expect(next?.addresses).toBe(2)
      expect(Math.round((Date.parse(next?.at ?? '') - Date.now()) / 86_400_000)).toBe(10)
    })

    test.each([
      ['Europe/Brussels', '2026-07-01T20:30:00Z', '2026-09-29T22:00:00Z'],
      ['America/St_Johns', '2026-07-01T20:30:00Z', '2026-09-30T02:30:00Z'],
      // The clocks are put back on 25 October.
      ['Europe/Brussels', '2026-07-26T22:10:00Z', '2026-10-25T23:00:00Z'],
    ])('counts a day of %s from %s until midnight', (zone, oldest, end) => {
      const { at, requestedBefore } = nextRemovalDay(new Date(oldest), zone)
      const keptMs = limits.requestDays * 86_400_000
      expect(at.getTime()).toBe(Date.parse(oldest) + keptMs)
      expect(new Date(requestedBefore.getTime() + keptMs)).toEqual(new Date(end))
    })
  })

  describe('sending all failed emails again', () => {
    const resendAll = async ({ token }: TestUser) =>
      (await server.request({ method: 'POST', url: '/user/photo-requests/resend', token })).json<object>()
    const states = async (owner: Owner) =>
      (await list(owner, 'limit=500')).requests.map(
        ({ requester_email, state }) => `${requester_email.split('@')[0]} ${state}`,
      )

    test('queues each once, also for two calls at once, and leaves out what would fail again', async () => {
      const [owner, other] = [await makeOwner(), await makeOwner()]
      const [hidden = ''] = await addPhotos(server, owner, { count: 1 })
      await query('update photos set hidden_at = now() where id = $1', [hidden])
      for (let n = 0; n < 60; n++) await addRequest(owner, `again${n}@example.com`, { state: 'failed' })
      await addRequest(owner, 'sent@example.com')
      await addRequest(owner, 'hidden@example.com', { state: 'failed', photo: hidden })
      await addRequest(owner, 'stopped@example.com', { state: 'failed' })
      await addRequest(other, 'other@example.com', { state: 'failed' })
      const stop = server.app.deps.tokens.unsubscribe('stopped@example.com')
      expect((await server.request({ method: 'POST', url: `/stop/${stop}` })).statusCode).toBe(200)
      const [one, two] = (await Promise.all([resendAll(owner), resendAll(owner)])) as {
        queued: number
        refused: number
      }[]
      expect(one!.queued + two!.queued).toBe(60)
      expect([one!.refused, two!.refused]).toEqual([2, 2])
      expect(await resendAll(owner)).toEqual({ queued: 0, waiting: 0, refused: 2, left: 0 })
      const after = await states(owner)
      expect(after.filter((line) => line.endsWith('failed')).toSorted()).toEqual(['hidden failed', 'stopped failed'])
      expect(await states(other)).toEqual(['other failed'])
      const jobs = await query("select count(*)::int from graphile_worker.jobs where key like 'email:%'")
      expect(jobs.rows).toEqual([{ count: 60 }])
      await query('delete from emails where user_id = $1', [owner.id])
    })

    test('keeps the limits of an address: some are sent later, and some are not', async () => {
      const owner = await makeOwner()
      const photos = await addPhotos(server, owner, { count: 22 })
      for (const photo of photos) await addRequest(owner, 'often@example.com', { state: 'failed', photo })
      const perTwoDays = 2 * emailLimits.perAddressDay + emailLimits.perAddressHour
      const resent = (await resendAll(owner)) as { queued: number; waiting: number; refused: number }
      expect(resent.queued).toBe(emailLimits.perAddressHour)
      expect(resent.queued + resent.waiting + resent.refused).toBe(22)
      expect(resent.queued + resent.waiting).toBeLessThanOrEqual(perTwoDays)
      expect((await list(owner, 'state=waiting')).total).toBe(resent.waiting)
      await query('delete from emails where user_id = $1', [owner.id])
    })
  })

  describe('the email before addresses are removed', () => {
    const run = async () => {
      await query("select graphile_worker.add_job('tell-of-request-removals')")
      await server.work()
    }
    const addOld = async (owner: Owner, count: number, daysAgo: number) => {
      for (let n = 0; n < count; n++) await addRequest(owner, `old${daysAgo}-${n}@example.com`, { daysAgo })
    }
    const putSettings = ({ token }: TestUser, body: object) =>
      server.request({ method: 'PUT', url: '/user/settings', token, body })

    test('goes to owners of 20 or more addresses, once in 30 days, in their language', async () => {
      const [told, few, later, off, closed] = [
        await makeOwner(),
        await makeOwner(),
        await makeOwner(),
        await makeOwner(),
        await makeOwner(),
      ]
      const days = limits.requestDays - limits.requestRemovalDays
      await addOld(told, 20, days + 2)
      await addOld(told, 3, days - 1)
      await addOld(few, 19, days + 2)
      await addOld(later, 25, days - 1)
      await addOld(off, 25, days + 2)
      await addOld(closed, 25, days + 2)
      expect((await putSettings(off, { allow_request_removal_emails: false })).json()).toMatchObject({
        allow_request_removal_emails: false,
      })
      await query('update users set is_active = false where id = $1', [closed.id])
      await query("update users set language = 'de' where id = $1", [told.id])
      await Promise.all([run(), run()])
      const [email, ...more] = await emailsTo(server, told.email)
      expect(more).toEqual([])
      expect(email?.subject).toBe('20 E-Mail-Adressen von Gästen werden bald entfernt')
      expect(email?.text).toContain('/photo-requests')
      expect(email?.text).toContain('/settings#mail')
      for (const { email: address } of [few, later, off, closed]) expect(await emailsTo(server, address)).toEqual([])
      await query(
        "update emails set created_at = now() - interval '29 days' where user_id = $1 and kind = 'request-removal'",
        [told.id],
      )
      await run()
      expect(await emailsTo(server, told.email)).toHaveLength(1)
      await query(
        "update emails set created_at = now() - interval '31 days' where user_id = $1 and kind = 'request-removal'",
        [told.id],
      )
      await run()
      expect(await emailsTo(server, told.email)).toHaveLength(2)
    })

    test('is not sent when its reader switches it off meanwhile, or nothing is left', async () => {
      const [owner, empty] = [await makeOwner(), await makeOwner()]
      const addEmail = (user: Owner) =>
        query(
          `with email as (insert into emails (id, kind, user_id, recipient, recipient_key, give_up_at)
         values (left(md5(random()::text), 22), 'request-removal', $1, $2, $2, now() + interval '1 day') returning id)
       select graphile_worker.add_job('send-email', json_build_object('emailId', id)) from email`,
          [user.id, user.email],
        )
      await addOld(owner, 1, 85)
      await putSettings(owner, { allow_request_removal_emails: false })
      await addEmail(owner)
      await addEmail(empty)
      await server.work()
      expect([await emailsTo(server, owner.email), await emailsTo(server, empty.email)]).toEqual([[], []])
    })
  })
})

describe('request view', () => {
  const urls = createUrls('http://photos.test', singleKey('a secret of the tests'))
  describe('the owner', () => {
    const row: RequestedPhotoRow = {
      id: 'request',
      requester_email: 'guest@example.com',
      requested_at: new Date('2026-05-01T10:20:00Z'),
      photo_id: 'photo',
      filename: 'party.jpg',
      thumb_key: 'thumb/abc',
      hidden_at: null,
      operator_decision: null,
      email_id: 'email',
      state: 'queued',
      is_waiting: false,
      awaits_verification: false,
      awaits_retry: false,
      due_at: new Date('2026-05-01T11:20:00Z'),
      sent_at: null,
      failure: null,
    }
    const view = (changes: Partial<RequestedPhotoRow> = {}, outbox = false) =>
      requestView(urls, { outbox })({ ...row, ...changes })
    test.each<[string, Partial<RequestedPhotoRow>, string]>([
      ['queued', {}, 'queued'],
      ['waiting', { is_waiting: true }, 'waiting'],
      ['sent', { state: 'sent', is_waiting: true }, 'sent'],
      ['failed', { state: 'failed', is_waiting: true }, 'failed'],
    ])('sees that an email is %s', (_, changes, state) => {
      expect(view(changes).state).toBe(state)
    })

    test('sees the time at which an email is due until it is sent, unless it waits for the owner', () => {
      expect(view().due_at).toBe('2026-05-01T11:20:00.000Z')
      expect(view({ awaits_verification: true }).due_at).toBeNull()
      expect(view({ state: 'sent', sent_at: new Date('2026-05-01T11:21:00Z') })).toMatchObject({
        due_at: null,
        sent_at: '2026-05-01T11:21:00.000Z',
      })
    })

    test('sees that an email waits for room in the outbox folder, without a time', () => {
      for (const failure of roomReasons)
        expect(view({ failure }, true)).toMatchObject({ state: 'waiting', due_at: null, failure })
      const other = { state: 'queued', due_at: '2026-05-01T11:20:00.000Z' }
      expect(view({ failure: 'The mail server could not be reached.' }, true)).toMatchObject(other)
    })

    test('sees that an email for a failed photo waits until it is retried', () => {
      const failure = expect.stringMatching(/^The photo could not be processed\. .* retried the photo/)
      const waiting = { state: 'waiting', due_at: null, failure }
      expect(view({ awaits_retry: true })).toMatchObject(waiting)
      expect(view({ awaits_retry: true, is_waiting: true, failure: 'The mailbox is full.' })).toMatchObject(waiting)
      for (const other of [{ state: 'failed' }, { state: 'sent' }, { awaits_verification: true }])
        expect(view({ awaits_retry: true, failure: 'The mailbox is full.', ...other }).failure).toBe(
          'The mailbox is full.',
        )
    })

    test('sees when an email was only saved in the outbox folder', () => {
      expect(view({ state: 'sent' }, true).failure).toMatch(/outbox folder/)
      expect(view({ state: 'sent' }).failure).toBeNull()
      expect(view({ state: 'failed', failure: 'The mailbox is full.' }, true).failure).toBe('The mailbox is full.')
    })

    test('sees a hidden photo by a signature, and no picture of a photo without a thumbnail', () => {
      expect(view().photo.thumbnail_url).toBe('http://photos.test/t/abc')
      expect(view({ hidden_at: new Date() }).photo.thumbnail_url).toMatch(/^http:\/\/photos\.test\/t\/abc\?s=./)
      expect(view({ hidden_at: new Date(), operator_decision: 'hide' }).photo.thumbnail_url).toBeNull()
      expect(view({ thumb_key: null }).photo.thumbnail_url).toBeNull()
    })
  })
})
