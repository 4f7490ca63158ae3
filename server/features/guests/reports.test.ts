import { beforeAll, describe, expect, test, vi } from 'vitest'
import { reportEmailLimits } from '@keepsnap/contract/limits.ts'
import type { FailedPhoto, ReportedPhoto } from '@keepsnap/contract/operator-support.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { plans } from '@keepsnap/contract/plans.ts'
import type { PhotoReport } from '@keepsnap/contract/guests.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import {
  addPhotos,
  auditOf,
  callOperator,
  makeOperator,
  makeUser,
  type TestUser,
  upload,
} from '../../test/test-data.ts'
import { newClientAddress, publicUrl, useServer, makeJobsDue, removeJobs } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { emailsTo } from '../../test/outbox.ts'

let address: string
let operator: TestUser
const file = await jpeg()
const server = useServer({ LOG_LEVEL: 'silent' })
beforeAll(async () => {
  address = await server.listen()
  operator = await makeOperator(server)
})

const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const call = (user: TestUser, method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, body?: object) =>
  server.request({ method, url, token: user.token, body })
const report = (id: string | undefined, body: object = { reason: 'child' }, from = newClientAddress()) =>
  server.request({ method: 'POST', url: `/photos/${id}/report`, from, body })
const decide = (user: TestUser, id: string, decision: string) =>
  call(user, 'POST', `/photos/${id}/decision`, { decision })
const undo = (user: TestUser, id: string, decidedAt: string | null) =>
  call(user, 'DELETE', `/photos/${id}/decision?decided_at=${encodeURIComponent(String(decidedAt))}`)
const setHidden = (user: TestUser, id: string | undefined, hidden: boolean) =>
  call(user, 'PUT', `/photos/${id}`, { hidden })
const reportsOf = async (user: TestUser) =>
  (await call(user, 'GET', '/user/reports')).json<{ reports: PhotoReport[] }>().reports
const photoOf = async (user: TestUser, id: string) => (await call(user, 'GET', `/photos/${id}`)).json<Photo>()
const guestStatus = async (id: string): Promise<number> =>
  (await server.request({ method: 'GET', url: `/photos/${id}/public` })).statusCode
/** What is written to an owner, oldest first. */
async function emailsOf({ email }: TestUser): Promise<{ subject: string; text: string }[]> {
  await server.work()
  return (await emailsTo(server, email)).map(({ subject = '', text = '' }) => ({ subject, text }))
}
const subjectsTo = async (user: TestUser) => (await emailsOf(user)).map(({ subject }) => subject)
/** An owner with so many photos, whose files do not matter. */
async function makeOwner(count = 1, { isConfirmed = true, language = 'en' } = {}) {
  const owner = await makeUser(server)
  await query('update users set email_verified_at = case when $2 then now() end, language = $3 where id = $1', [
    owner.id,
    isConfirmed,
    language,
  ])
  const photos = await addPhotos(server, owner, { count })
  await query("update photos set filename = 'IMG_' || array_position($1, id) - 1 || '.jpg' where id = any($1)", [
    photos,
  ])
  return { owner, photos, id: photos[0]! }
}

describe('a report', () => {
  test('notifies the owner at once, with its reason and its note', async () => {
    const { owner, id } = await makeOwner()
    const live = await connectLive(address, owner.token)
    const note = '  Please take this down. <b>Lotte</b> '
    expect((await report(id, { reason: 'me', note })).statusCode).toBe(200)
    expect(await live.next(({ action }) => action === 'photo_reported')).toMatchObject({ photo_id: id })
    live.socket.close()
    await report(id, { reason: 'hurtful' })
    expect(await reportsOf(owner)).toMatchObject([
      {
        photo: { id, filename: 'IMG_0.jpg' },
        hidden: false,
        open: true,
        reports: [
          { reason: 'hurtful', note: null },
          { reason: 'me', note: note.trim() },
        ],
        decision: null,
        decided_at: null,
      },
    ])
    expect(await reportsOf(operator)).toEqual([])
  })

  test('is also made by a form without JavaScript, which is answered with a page', async () => {
    const { owner, id } = await makeOwner()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const url = `/report-photo/${id}`
    const answer = await server.request({ method: 'POST', url, headers, body: 'reason=illegal&note=x' })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect((await reportsOf(owner))[0]!.reports).toMatchObject([{ reason: 'illegal', note: 'x' }])
  })

  test('for one reason is stored 20 times at most for a photo', async () => {
    const { id } = await makeOwner()
    for (let n = 0; n < 22; n++) expect((await report(id, { reason: 'other' })).statusCode).toBe(200)
    expect((await query('select from photo_reports where photo_id = $1', [id])).rowCount).toBe(20)
  })
})

describe('a photo', () => {
  let owner: TestUser
  let photo: Photo
  beforeAll(async () => {
    owner = await makeUser(server)
    await upload(server, owner, file)
    photo = (await upload(server, owner, file)).json<Photo>()
    await server.work()
  })
  const latest = async () => (await call(owner, 'GET', '/photos/latest')).json<Photo>().id
  const statusOfCode = async () =>
    (await server.request({ method: 'GET', url: new URL(photo.qr_code_url).pathname.replace('/qr', '') })).statusCode

  test('that was reported is hidden from guests and the big screen by its owner, and shown again', async () => {
    await report(photo.id)
    expect(await latest()).toBe(photo.id)
    expect((await decide(owner, photo.id, 'hide')).json()).toMatchObject({
      hidden: true,
      open: false,
      decision: 'hide',
    })
    expect(await statusOfCode()).toBe(404)
    expect(await latest()).not.toBe(photo.id)
    const list = (await call(owner, 'GET', '/photos')).json<Photo[]>()
    expect(list.map(({ id, hidden }) => [id, hidden])).toContainEqual([photo.id, true])
    expect((await decide(owner, photo.id, 'keep')).json()).toMatchObject({ hidden: false, decision: 'keep' })
    expect([await statusOfCode(), await latest()]).toEqual([200, photo.id])
  })

  test('is hidden and shown by its owner without a decision, which every screen learns and which leaves reports open', async () => {
    await report(photo.id)
    const live = await connectLive(address, owner.token)
    expect((await setHidden(owner, photo.id, true)).json()).toMatchObject({ id: photo.id, hidden: true })
    await live.next((message) => message.action === 'photo_update' && message.photo.hidden)
    expect(await statusOfCode()).toBe(404)
    const hiddenAt = async () => (await query('select hidden_at from photos where id = $1', [photo.id])).rows
    const before = await hiddenAt()
    expect((await setHidden(owner, photo.id, true)).json()).toMatchObject({ hidden: true })
    expect(await hiddenAt()).toEqual(before)
    expect((await reportsOf(owner))[0]).toMatchObject({ hidden: true, open: true })

    expect((await setHidden(owner, photo.id, false)).json()).toMatchObject({ hidden: false })
    await live.next((message) => message.action === 'photo_update' && !message.photo.hidden)
    live.socket.close()
    // One message a change: setting what is set already is none.
    expect(live.received.filter(({ action }) => action === 'photo_update')).toHaveLength(2)
    expect(await statusOfCode()).toBe(200)
    expect((await reportsOf(owner))[0]).toMatchObject({ hidden: false, open: true })
  })
})

describe('undoing a decision to hide', () => {
  test('restores photo and reports as they were; a second undo does nothing', async () => {
    const { owner, id } = await makeOwner()
    await report(id)
    await decide(owner, id, 'keep')
    const closed = (await reportsOf(owner))[0]!
    await report(id, { reason: 'me' })
    const { decided_at: hiddenAt } = (await decide(owner, id, 'hide')).json<PhotoReport>()
    for (const wrong of ['yesterday', '2026-13-01T00:00:00.000Z'])
      expect((await undo(owner, id, wrong)).statusCode).toBe(422)
    expect((await undo(owner, id, closed.decided_at)).json()).toMatchObject({ hidden: true, open: false })
    const undone = { hidden: false, open: true, decision: 'keep', decided_at: closed.decided_at }
    for (let n = 0; n < 2; n++) expect((await undo(owner, id, hiddenAt)).json()).toMatchObject(undone)
    expect(await guestStatus(id)).toBe(200)

    // It was hidden in another way since, which stays; undoing a decision without open reports restores the previous one.
    const { decided_at: again } = (await decide(owner, id, 'hide')).json<PhotoReport>()
    for (const hidden of [false, true]) await setHidden(owner, id, hidden)
    expect((await undo(owner, id, again)).json()).toMatchObject({ hidden: true, open: true })
    await decide(owner, id, 'keep')
    const { decided_at: reviewed } = (await decide(owner, id, 'hide')).json<PhotoReport>()
    expect((await undo(owner, id, reviewed)).json()).toMatchObject({ hidden: false, open: false, decision: 'keep' })
  })

  test('restores all reports, also after a double click, unless a newer decision exists', async () => {
    const { owner, id } = await makeOwner()
    for (const reason of ['me', 'other']) await report(id, { reason })
    const first = (await decide(owner, id, 'hide')).json<PhotoReport>()
    const repeated = (await decide(owner, id, 'hide')).json<PhotoReport>()
    expect(repeated.decided_at).toBe(first.decided_at)
    expect((await undo(owner, id, repeated.decided_at)).json()).toMatchObject({ hidden: false, open: true })
    const { decided_at: hiddenAt } = (await decide(owner, id, 'hide')).json<PhotoReport>()
    await decide(owner, id, 'keep')
    const kept = { hidden: false, open: false, decision: 'keep' }
    expect((await undo(owner, id, hiddenAt)).json()).toMatchObject(kept)
  })
})

describe('emails about reports', () => {
  const oneReported = 'A guest reported one of your photos'
  /** Lets an hour pass for the emails of an owner. */
  const passHour = async ({ id }: TestUser) => {
    const hourAgo = (column: string) => `${column} = ${column} - interval '61 minutes'`
    await query(`update emails set ${hourAgo('created_at')}, ${hourAgo('due_at')} where user_id = $1`, [id])
    await makeJobsDue(server.app.deps.pool)
    await server.work()
  }

  test('go at once, with the reason and a link that only opens the page, one a photo and hour', async () => {
    const { owner, id } = await makeOwner()
    await report(id, { reason: 'child', note: 'buy <a>pills</a>' })
    await report(id, { reason: 'me' })
    const [email, ...others] = await emailsOf(owner)
    expect([email?.subject, others]).toEqual([oneReported, []])
    expect(email?.text).toContain('A guest reported IMG_0.jpg: it shows a child')
    expect(email?.text).toContain(`${publicUrl}/photo-requests\n`)
    expect(email?.text).not.toContain('pills')
    // The second report was in that email already.
    await passHour(owner)
    expect(await subjectsTo(owner)).toHaveLength(1)
    for (const reason of ['illegal', 'other']) {
      await report(id, { reason })
      expect(await subjectsTo(owner)).toHaveLength(2)
    }
    await passHour(owner)
    expect(await subjectsTo(owner)).toEqual([oneReported, oneReported, oneReported])
  })

  test('beyond five an hour wait for one digest, which leaves out what was hidden meanwhile', async () => {
    const { owner, photos } = await makeOwner(9)
    await Promise.all(photos.map((id) => report(id)))
    expect(await subjectsTo(owner)).toEqual(Array(5).fill(oneReported))
    const { rows } = await query("select photo_id from emails where user_id = $1 and kind = 'report'", [owner.id])
    await setHidden(
      owner,
      photos.find((id) => !rows.some(({ photo_id }) => photo_id === id)),
      true,
    )
    await passHour(owner)
    expect((await subjectsTo(owner)).slice(5)).toEqual(['Guests reported 3 of your photos'])
    await passHour(owner)
    expect(await subjectsTo(owner)).toHaveLength(6)
  })

  /** Guests report while the next email is being sent. */
  const duringNextEmail = (reportMore: () => Promise<unknown>) => {
    const { mail } = server.app.deps
    const send = mail.send.bind(mail)
    vi.spyOn(mail, 'send').mockImplementationOnce(async (message) => {
      await reportMore()
      return send(message)
    })
  }
  test('name every report: one that arrives while an email is being sent is in the next', async () => {
    const { owner, photos } = await makeOwner(2)
    const texts = async () => (await emailsOf(owner)).map(({ text }) => text)
    duringNextEmail(() => report(photos[0], { reason: 'illegal' }))
    await report(photos[0])
    expect(await texts()).toEqual([expect.not.stringContaining('illegal')])
    duringNextEmail(() => report(photos[1], { reason: 'hurtful' }))
    await passHour(owner)
    const [, digest, ...others] = await texts()
    expect(digest).toContain('A guest reported IMG_0.jpg: it may be illegal')
    expect(digest).not.toContain('IMG_1')
    expect(others).toEqual([expect.stringContaining('A guest reported IMG_1.jpg: it is hurtful')])
    await passHour(owner)
    expect(await texts()).toHaveLength(3)
  })

  test('are not sent after the owner has decided; an address that is not confirmed gets five a day', async () => {
    const { owner, photos } = await makeOwner(7, { isConfirmed: false })
    await report(photos[0])
    await decide(owner, photos[0]!, 'keep')
    expect(await subjectsTo(owner)).toEqual([])
    for (const id of photos.slice(1)) await report(id)
    await server.work()
    await passHour(owner)
    expect(await subjectsTo(owner)).toHaveLength(4)
  })
})

describe('an operator', () => {
  const reason = 'Complaint 12 of the police'
  const act = (id: string, action: 'hide' | 'show' | 'retry', message?: string) =>
    callOperator(server, operator, `photos/${id}/${action}`, { reason, ...(message !== undefined && { message }) })
  /** An owner with one reported photo. No email about the report is sent. */
  async function makeReported(options?: { isConfirmed?: boolean; language?: string }) {
    const { owner, id } = await makeOwner(1, options)
    await query("insert into photo_reports (id, photo_id, user_id, reason) values ($1, $1, $2, 'child')", [
      id,
      owner.id,
    ])
    return { owner, id }
  }
  const hiddenByOperator =
    'This photo was hidden from guests by the operator of this site. Please write to support if you think that this is a mistake.'

  test('hides a reported photo: guests lose it at once, and its owner sees who hid it, when and why', async () => {
    const { owner, id } = await makeOwner()
    // Nobody has reported it.
    expect([(await act(id, 'hide')).statusCode, await guestStatus(id)]).toEqual([404, 200])
    await report(id)
    const live = await connectLive(address, owner.token)
    const hidden = (await act(id, 'hide', ' The parents <b>asked</b> us.\n')).json<ReportedPhoto>()
    expect(hidden).toMatchObject({
      owner: { id: owner.id },
      report: { hidden: true, hidden_by_operator: true, open: false, decision: 'hide' },
    })
    expect(await guestStatus(id)).toBe(404)
    const message = 'The parents <b>asked</b> us.'
    const decided = { decision: 'hide', message, decided_at: expect.stringMatching(/Z$/) }
    const told = await live.next((one) => one.action === 'photo_update' && one.photo.hidden)
    live.socket.close()
    expect(told).toMatchObject({ photo: { id, operator_decision: decided } })
    expect(await photoOf(owner, id)).toMatchObject({ hidden: true, operator_decision: decided })
    expect(await reportsOf(owner)).toMatchObject([{ hidden: true, hidden_by_operator: true }])
    expect(await auditOf(server, id)).toMatchObject([{ action: 'hide reported photo', reason, outcome: 'done' }])
    // The reason is for the log alone, and guests get neither.
    const answers = await Promise.all([call(owner, 'GET', `/photos/${id}`), call(owner, 'GET', '/user/reports')])
    for (const { body } of answers) expect(body).not.toContain(reason)
    const page = await server.request({ method: 'GET', url: `/request-photo/${id}`, headers: { accept: 'text/html' } })
    expect(page.body).not.toMatch(/parents|police/)
  })

  test('hides it also from its owner’s decisions; the owner can delete it', async () => {
    const { owner, id } = await makeReported()
    const first = (await decide(owner, id, 'hide')).json<PhotoReport>()
    expect((await act(id, 'hide')).statusCode).toBe(200)
    for (const answer of [
      await setHidden(owner, id, false),
      await decide(owner, id, 'keep'),
      await undo(owner, id, first.decided_at),
    ])
      expect([answer.statusCode, answer.json()]).toEqual([403, { code: 'forbidden', detail: hiddenByOperator }])
    expect((await setHidden(owner, id, true)).statusCode).toBe(200)
    expect((await decide(operator, id, 'keep')).statusCode).toBe(404)
    expect((await call(owner, 'DELETE', `/photos/${id}`)).statusCode).toBe(204)
    expect(await emailsOf(owner)).toEqual([])
  })

  test('shows it again, after which the owner can show and hide it', async () => {
    const { owner, id } = await makeReported()
    await act(id, 'hide', 'Wait')
    const shown = (await act(id, 'show', 'Sorry')).json<ReportedPhoto>()
    expect(shown.report).toMatchObject({ hidden: false, hidden_by_operator: false, open: false, decision: 'keep' })
    const decided = { hidden: false, operator_decision: { decision: 'show', message: 'Sorry' } }
    expect(await photoOf(owner, id)).toMatchObject(decided)
    expect(await guestStatus(id)).toBe(200)
    for (const hidden of [true, false]) expect((await setHidden(owner, id, hidden)).json()).toMatchObject({ hidden })
  })

  test('does not show what its owner had hidden before', async () => {
    const { owner, id } = await makeReported()
    await setHidden(owner, id, true)
    const detail = 'No operator has hidden this photo. Its owner decides whether guests can open it.'
    expect((await act(id, 'show')).json()).toEqual({ code: 'conflict', detail })
    expect(await photoOf(owner, id)).toMatchObject({ hidden: true, operator_decision: null })
    await act(id, 'hide')
    const { report: after } = (await act(id, 'show')).json<ReportedPhoto>()
    expect(after).toMatchObject({ hidden: true, hidden_by_operator: false })
    expect(await guestStatus(id)).toBe(404)
    expect((await emailsOf(owner)).map(({ text }) => text).join()).toContain('because you had hidden it yourself')
    expect((await setHidden(owner, id, false)).statusCode).toBe(200)
  })

  describe('is announced to the owner by an email that', () => {
    test('goes once for each time that it is hidden, with the message, the way to support, and not the reason', async () => {
      const { owner, id } = await makeReported()
      await act(id, 'hide', 'The parents asked us.\nPlease ask them.')
      expect((await act(id, 'hide', 'Another message')).statusCode).toBe(200)
      const [hidden, ...others] = await emailsOf(owner)
      expect([hidden?.subject, others]).toEqual(['One of your photos was hidden from guests', []])
      expect(hidden?.text).toContain('> The parents asked us.\n> Please ask them.')
      expect(hidden?.text).toContain(`${publicUrl}/support`)
      expect(hidden?.text).not.toMatch(/police|Another message/)
      await act(id, 'show')
      await act(id, 'hide', '\u200b ')
      // Composed when it is sent: nothing about the time in between.
      const [, second, ...more] = await emailsOf(owner)
      expect([second?.subject, more]).toEqual(['One of your photos was hidden from guests', []])
      expect(second?.text).toContain('A guest reported it, and it was reviewed.')
      expect((await act(id, 'show', 'Sorry')).statusCode).toBe(200)
      const shown = (await emailsOf(owner)).at(-1)
      expect(shown?.subject).toBe('Your photo is allowed again')
      expect(shown?.text).toContain(`${publicUrl}/gallery?photo=${id}`)
    })

    test('is in the language of the owner, and is not sent to a deactivated account, nor after its photo was deleted', async () => {
      const [dutch, inactive, deleted] = [
        await makeReported({ language: 'nl' }),
        await makeReported(),
        await makeReported(),
      ]
      await query('update users set is_active = false where id = $1', [inactive.owner.id])
      for (const { id } of [dutch, inactive, deleted]) await act(id, 'hide')
      await call(deleted.owner, 'DELETE', `/photos/${deleted.id}`)
      await server.work()
      const subjects = await Promise.all([dutch, inactive, deleted].map(({ owner }) => subjectsTo(owner)))
      expect(subjects).toEqual([['Een foto van je is verborgen voor gasten'], [], []])
    })

    test('goes to an unconfirmed address a few times a day only, together with emails about reports', async () => {
      const { owner, id } = await makeReported({ isConfirmed: false })
      const [another] = await addPhotos(server, owner, { count: 1 })
      const most = reportEmailLimits.unverifiedEmailsPerDay
      for (let n = 0; n <= most; n++) {
        for (const action of ['hide', 'show'] as const) {
          await act(id, action)
          await server.work()
        }
      }
      await report(another)
      expect(await emailsOf(owner)).toHaveLength(most)
      // A day later the report is sent.
      await query("update emails set due_at = now(), created_at = created_at - interval '1 day' where user_id = $1", [
        owner.id,
      ])
      await makeJobsDue(server.app.deps.pool, 'email:%')
      expect(await emailsOf(owner)).toHaveLength(most + 1)
    })
  })

  test('sees the failed photos of all accounts without pictures, the newest first', async () => {
    const [one, two] = [await makeUser(server), await makeUser(server)]
    const [older = ''] = await addPhotos(server, one, { count: 1, state: 'failed', daysAgo: 2 })
    const [newer = ''] = await addPhotos(server, two, { count: 1, state: 'failed' })
    await addPhotos(server, two, { count: 1, state: 'failed', isDeleted: true })
    await query('update photos set original_key = null where id = $1', [older])
    const failed = async (page = '') =>
      (await callOperator(server, operator, `failed-photos${page}`)).json<{ photos: FailedPhoto[]; total: number }>()
    const list = await failed()
    expect(list).toMatchObject({ total: 2, skip: 0, limit: 50 })
    expect(list.photos).toEqual([
      {
        id: newer,
        filename: 'IMG_1.jpg',
        owner: { id: two.id, username: two.email.split('@')[0] },
        created_at: expect.stringMatching(/Z$/),
        error_message: 'The file is broken.',
        can_retry: true,
      },
      expect.objectContaining({ id: older, can_retry: false }),
    ])
    expect(await failed('?skip=1&limit=1')).toMatchObject({ photos: [{ id: older }], total: 2, skip: 1, limit: 1 })
  })

  test('has a failed photo processed again; why it cannot be is in the answer and in the log', async () => {
    const user = await makeUser(server)
    const { id } = (await upload(server, user, file)).json<Photo>()
    await query("update photos set state = 'failed', finished_at = now() where id = $1", [id])
    await removeJobs(server.app.deps.pool, `photo:${id}`)
    expect((await act(id, 'retry')).json()).toEqual({ retried: true })
    await server.work()
    expect(await photoOf(user, id)).toMatchObject({ processing_complete: true })
    expect(await auditOf(server, id)).toMatchObject([{ action: 'retry photo', reason, outcome: 'done' }])
    const other = await makeUser(server)
    const [gone = '', full = ''] = await addPhotos(server, other, { count: 2, state: 'failed' })
    await query('update photos set original_key = null where id = $1', [gone])
    await query('update usage_months set uploads = $2 where user_id = $1', [other.id, plans.free.features.max_photos])
    for (const [photo, detail] of [
      [gone, 'The uploaded file has been deleted. The owner of the photo must upload it again.'],
      [full, 'The account has used all photos of this month, so this one cannot be retried.'],
    ] as const) {
      expect((await act(photo, 'retry')).json()).toEqual({ code: 'conflict', detail })
      expect(await auditOf(server, photo)).toMatchObject([{ outcome: 'refused', detail }])
    }
    const [ready = ''] = await addPhotos(server, other, { count: 1 })
    const detail = 'Only photos whose processing failed can be retried.'
    expect((await act(ready, 'retry')).json()).toEqual({ code: 'conflict', detail })
    expect((await act('0'.repeat(22), 'retry')).statusCode).toBe(404)
  })

  test('sees the reported photos of all accounts, those with open reports first, each with its thumbnail', async () => {
    await query('delete from photo_reports')
    const [{ owner: one, photos: ids }, { id: newest }] = [await makeOwner(3), await makeOwner()]
    const [open = '', decided = '', deleted = ''] = ids
    await query("update photos set thumb_key = 'thumb/' || left(md5(id), 22) where id = $1", [open])
    for (const id of [open, open, decided, newest, deleted])
      await report(id, { reason: 'hurtful', note: 'Please look' })
    await decide(one, decided, 'keep')
    await query("update photo_reports set reported_at = reported_at - interval '1 hour' where photo_id = $1", [open])
    await query('update photos set deleted_at = now() where id = $1', [deleted])
    const reported = async (page = '') =>
      (await callOperator(server, operator, `reports${page}`)).json<{ photos: ReportedPhoto[]; total: number }>()
    const list = await reported()
    expect(list.total).toBe(3)
    expect(list.photos.map(({ report: { photo } }) => photo.id)).toEqual([newest, open, decided])
    expect(list.photos[1]).toMatchObject({
      owner: { id: one.id },
      report: {
        photo: { thumbnail_url: expect.stringMatching(/^http:\/\/photos\.test\/t\//) },
        open: true,
        hidden: false,
        reports: [{ reason: 'hurtful', note: 'Please look' }, { reason: 'hurtful' }],
        decision: null,
      },
    })
    expect(list.photos[2]?.report).toMatchObject({ open: false, decision: 'keep' })
    expect(await reported('?skip=1&limit=1')).toMatchObject({ photos: [{ report: { photo: { id: open } } }], total: 3 })
  })
})
