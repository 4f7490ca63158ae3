import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { connectLive } from '../../test/live-client.ts'
import { newClientAddress, publicUrl, startServer, type TestServer } from '../../test/harness.ts'
import { emailsTo } from '../../test/outbox.ts'
import { makeUser, upload, type TestUser } from '../../test/test-data.ts'

let server: TestServer
let owner: TestUser
let photo: Photo
let address: string
const file = await jpeg()

beforeAll(async () => {
  server = await startServer()
  address = await server.listen()
  owner = await makeUser(server)
  await upload(server, owner, file)
  photo = (await upload(server, owner, file)).json<Photo>()
  await server.work()
})
afterAll(() => server.close())

const report = (body: unknown, from = newClientAddress()) =>
  server.request({ method: 'POST', url: `/photos/${photo.id}/report`, from, body })
const decide = (who: TestUser, decision: unknown) =>
  server.request({ method: 'POST', url: `/photos/${photo.id}/decision`, token: who.token, body: { decision } })
const reports = async (who: TestUser) =>
  (await server.request({ method: 'GET', url: '/user/reports', token: who.token })).json<{ reports: PhotoReport[] }>()
    .reports

test('the owner is notified of a report at once, with its reason and its note', async () => {
  const live = await connectLive(address, owner.token)
  const answer = await report({ reason: 'me', note: '  Please take this down. <b>Lotte</b> ' })
  expect(answer.statusCode).toBe(200)
  expect(await live.next(({ action }) => action === 'photo_reported')).toMatchObject({ photo_id: photo.id })
  live.socket.close()
  await report({ reason: 'hurtful' })
  expect(await reports(owner)).toMatchObject([
    {
      photo: { id: photo.id, filename: photo.filename },
      hidden: false,
      open: true,
      reports: [
        { reason: 'hurtful', note: null },
        { reason: 'me', note: 'Please take this down. <b>Lotte</b>' },
      ],
      decision: null,
      decided_at: null,
    },
  ])
  expect(await reports(await makeUser(server))).toEqual([])
})

test('a form without JavaScript reports a photo and answers with a page', async () => {
  const form = (body: string) =>
    server.request({
      method: 'POST',
      url: `/report-photo/${photo.id}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
  expect((await form('reason=illegal&note=x')).statusCode).toBe(200)
  expect((await form('reason=nonsense')).statusCode).toBe(422)
  expect((await form('')).statusCode).toBe(422)
  expect((await reports(owner))[0]!.reports[0]).toMatchObject({ reason: 'illegal', note: 'x' })
})

test.each([{}, { reason: 'because' }, { reason: 'me', note: 'x'.repeat(501) }, { reason: 'me', hide: true }])(
  'a report %j is refused',
  async (body) => expect((await report(body)).statusCode).toBe(422),
)

test('a client may report ten times a minute, and only 20 reports of a photo for one reason are stored', async () => {
  const client = newClientAddress()
  const answers = []
  for (let n = 0; n < 12; n++) answers.push((await report({ reason: 'other' }, client)).statusCode)
  expect(answers.filter((status) => status === 429)).toHaveLength(2)
  for (let n = 0; n < 20; n++) await report({ reason: 'other' })
  const { rowCount } = await server.app.deps.pool.query("select 1 from photo_reports where reason = 'other'")
  expect(rowCount).toBe(20)
})

test('the owner hides a reported photo from guests and the big screen, and shows it again', async () => {
  const latest = () => server.request({ method: 'GET', url: '/photos/latest', token: owner.token })
  const code = new URL(photo.qr_code_url).pathname.replace('/qr', '')
  expect((await latest()).json<Photo>().id).toBe(photo.id)
  expect((await decide(await makeUser(server), 'hide')).statusCode).toBe(404)
  expect((await decide(owner, 'delete')).statusCode).toBe(422)
  expect((await decide(owner, 'hide')).json()).toMatchObject({ hidden: true, open: false, decision: 'hide' })
  expect((await server.request({ method: 'GET', url: code })).statusCode).toBe(404)
  expect((await latest()).json<Photo>().id).not.toBe(photo.id)
  const list = (await server.request({ method: 'GET', url: '/photos', token: owner.token })).json<Photo[]>()
  expect(list.map(({ id, hidden }) => [id, hidden])).toContainEqual([photo.id, true])
  expect((await decide(owner, 'keep')).json()).toMatchObject({ hidden: false, decision: 'keep' })
  expect((await server.request({ method: 'GET', url: code })).statusCode).toBe(200)
  expect((await latest()).json<Photo>().id).toBe(photo.id)
})

test('the owner hides and shows any photo, which every screen learns and which leaves open reports open', async () => {
  const change = (body: unknown, token = owner.token) =>
    server.request({ method: 'PUT', url: `/photos/${photo.id}`, token, body })
  const code = new URL(photo.qr_code_url).pathname.replace('/qr', '')
  await report({ reason: 'child' })
  expect((await change({ hidden: true }, 'nobody')).statusCode).toBe(401)
  for (const body of [{}, { hidden: 'yes' }, { hidden: true, filename: 'x' }])
    expect((await change(body)).statusCode).toBe(422)

  const live = await connectLive(address, owner.token)
  expect((await change({ hidden: true })).json()).toMatchObject({ id: photo.id, hidden: true })
  await live.next((message) => message.action === 'photo_update' && message.photo.hidden)
  expect((await server.request({ method: 'GET', url: code })).statusCode).toBe(404)
  const hiddenAt = () => server.db.selectFrom('photos').select('hidden_at').where('id', '=', photo.id).execute()
  const before = await hiddenAt()
  expect((await change({ hidden: true })).json()).toMatchObject({ hidden: true })
  expect(await hiddenAt()).toEqual(before)
  expect((await reports(owner))[0]).toMatchObject({ hidden: true, open: true })

  expect((await change({ hidden: false })).json()).toMatchObject({ hidden: false })
  await live.next((message) => message.action === 'photo_update' && !message.photo.hidden)
  live.socket.close()
  // One message a change: setting what is set already is none.
  expect(live.received.filter(({ action }) => action === 'photo_update')).toHaveLength(2)
  expect((await server.request({ method: 'GET', url: code })).statusCode).toBe(200)
  expect((await reports(owner))[0]).toMatchObject({ hidden: false, open: true })
})

test('a decision to hide can be undone: photo and reports are as before, and a second undo does nothing', async () => {
  const undo = (decidedAt: string | null, who = owner) =>
    server.request({
      method: 'DELETE',
      url: `/photos/${photo.id}/decision?decided_at=${decidedAt}`,
      token: who.token,
    })
  await decide(owner, 'keep')
  const closed = (await reports(owner))[0]!
  await report({ reason: 'me' })
  const { decided_at: hiddenAt } = (await decide(owner, 'hide')).json<PhotoReport>()

  expect((await undo(hiddenAt, await makeUser(server))).statusCode).toBe(404)
  expect((await undo('yesterday')).statusCode).toBe(422)
  expect((await undo('2026-13-01T00:00:00.000Z')).statusCode).toBe(422)
  expect((await undo(closed.decided_at)).json()).toMatchObject({ hidden: true, open: false })
  const undone = { hidden: false, open: true, decision: 'keep', decided_at: closed.decided_at }
  expect((await undo(hiddenAt)).json()).toMatchObject(undone)
  expect((await undo(hiddenAt)).json()).toMatchObject(undone)
  const code = new URL(photo.qr_code_url).pathname.replace('/qr', '')
  expect((await server.request({ method: 'GET', url: code })).statusCode).toBe(200)

  // It was hidden in another way since, which stays; undoing a decision without open reports restores the previous one.
  const { decided_at: again } = (await decide(owner, 'hide')).json<PhotoReport>()
  for (const hidden of [false, true])
    await server.request({ method: 'PUT', url: `/photos/${photo.id}`, token: owner.token, body: { hidden } })
  expect((await undo(again)).json()).toMatchObject({ hidden: true, open: true })
  await decide(owner, 'keep')
  const { decided_at: reviewed } = (await decide(owner, 'hide')).json<PhotoReport>()
  expect((await undo(reviewed)).json()).toMatchObject({ hidden: false, open: false, decision: 'keep' })
})

test('undoing a hide decision restores all reports, also after a double click, unless a newer one exists', async () => {
  const undo = async (decidedAt: string | null) =>
    (
      await server.request({
        method: 'DELETE',
        url: `/photos/${photo.id}/decision?decided_at=${decidedAt}`,
        token: owner.token,
      })
    ).json<PhotoReport>()
  for (const reason of ['me', 'other']) await report({ reason })
  const first = (await decide(owner, 'hide')).json<PhotoReport>()
  const repeated = (await decide(owner, 'hide')).json<PhotoReport>()
  expect(repeated.decided_at).toBe(first.decided_at)
  expect(await undo(repeated.decided_at)).toMatchObject({ hidden: false, open: true })

  const { decided_at: hiddenAt } = (await decide(owner, 'hide')).json<PhotoReport>()
  await decide(owner, 'keep')
  expect(await undo(hiddenAt)).toMatchObject({ hidden: false, open: false, decision: 'keep' })
})

describe('emails to the owner', () => {
  const oneReported = 'A guest reported one of your photos'
  const subjects = async (to: TestUser) =>
    (await emailsTo(server, to.email)).map(({ subject }) => subject).filter((subject) => subject?.includes('reported'))
  /** Lets an hour pass for the emails of an owner. */
  const passHour = async ({ id }: TestUser) => {
    const { pool } = server.app.deps
    const hourAgo = (column: string) => `${column} = ${column} - interval '61 minutes'`
    await pool.query(`update emails set ${hourAgo('created_at')}, ${hourAgo('due_at')} where user_id = $1`, [id])
    await pool.query('update graphile_worker._private_jobs set run_at = now()')
    await server.work()
  }
  const makeOwner = async (photoCount: number, isVerified = true) => {
    const user = await makeUser(server)
    if (isVerified)
      await server.app.deps.pool.query('update users set email_verified_at = now() where id = $1', [user.id])
    const photos: string[] = []
    for (let n = 0; n < photoCount; n++)
      photos.push((await upload(server, user, file, { filename: `IMG_${n}.jpg` })).json<Photo>().id)
    await server.work()
    return { user, photos }
  }
  const reportPhoto = (id: string | undefined, reason = 'child') => {
    const body = { reason, note: 'buy <a>pills</a>' }
    return server.request({ method: 'POST', url: `/photos/${id}/report`, from: newClientAddress(), body })
  }

  test('go at once, with the reason and a link that only opens the page, one a photo and hour', async () => {
    const { user, photos } = await makeOwner(1)
    await reportPhoto(photos[0])
    await reportPhoto(photos[0], 'me')
    await server.work()
    const [email, ...others] = await emailsTo(server, user.email)
    expect(others).toEqual([])
    expect(email?.subject).toBe(oneReported)
    expect(email?.text).toContain('A guest reported IMG_0.jpg: it shows a child')
    expect(email?.text).toContain(`${publicUrl}/photo-requests\n`)
    expect(email?.text).not.toContain('pills')
    expect(email?.attachments).toEqual([])
    // The second report was in that email already.
    await passHour(user)
    expect(await subjects(user)).toEqual([oneReported])
    await reportPhoto(photos[0], 'illegal')
    await server.work()
    expect(await subjects(user)).toEqual([oneReported, oneReported])
    await reportPhoto(photos[0], 'other')
    await server.work()
    expect(await subjects(user)).toEqual([oneReported, oneReported])
    await passHour(user)
    expect(await subjects(user)).toEqual([oneReported, oneReported, oneReported])
  })

  test('beyond five an hour wait for one digest, which leaves out what was hidden meanwhile', async () => {
    const { user, photos } = await makeOwner(9)
    await Promise.all(photos.map((id) => reportPhoto(id)))
    await server.work()
    expect(await subjects(user)).toEqual(Array(5).fill(oneReported))
    const { rows } = await server.app.deps.pool.query<{ photo_id: string }>(
      "select photo_id from emails where user_id = $1 and kind = 'report'",
      [user.id],
    )
    const [hidden] = photos.filter((id) => !rows.some(({ photo_id }) => photo_id === id))
    await server.request({ method: 'PUT', url: `/photos/${hidden}`, token: user.token, body: { hidden: true } })
    await passHour(user)
    expect((await subjects(user)).slice(5)).toEqual(['Guests reported 3 of your photos'])
    await passHour(user)
    expect(await subjects(user)).toHaveLength(6)
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
    const { user, photos } = await makeOwner(2)
    const texts = async () => (await emailsTo(server, user.email)).map(({ text }) => text)
    duringNextEmail(() => reportPhoto(photos[0], 'illegal'))
    await reportPhoto(photos[0])
    await server.work()
    expect(await texts()).toEqual([expect.not.stringContaining('illegal')])
    duringNextEmail(() => reportPhoto(photos[1], 'hurtful'))
    await passHour(user)
    const [, digest, ...others] = await texts()
    expect(digest).toContain('A guest reported IMG_0.jpg: it may be illegal')
    expect(digest).not.toContain('IMG_1')
    expect(others).toEqual([expect.stringContaining('A guest reported IMG_1.jpg: it is hurtful')])
    await passHour(user)
    expect(await texts()).toHaveLength(3)
  })

  test('are not sent after the owner has decided; an address that is not confirmed gets five a day', async () => {
    const { user, photos } = await makeOwner(7, false)
    await reportPhoto(photos[0])
    const decision = { method: 'POST', url: `/photos/${photos[0]}/decision`, body: { decision: 'keep' } } as const
    await server.request({ ...decision, token: user.token })
    await server.work()
    expect(await subjects(user)).toEqual([])
    for (const id of photos.slice(1)) await reportPhoto(id)
    await server.work()
    await passHour(user)
    expect(await subjects(user)).toHaveLength(4)
  })
})
