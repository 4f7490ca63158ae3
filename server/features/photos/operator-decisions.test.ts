import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reportEmailLimits } from '@keepsnap/contract/limits.ts'
import type { ReportedPhoto } from '@keepsnap/contract/operator-photos.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { addPhotos } from '../../test/add-photos.ts'
import { publicUrl, startServer, type TestServer } from '../../test/harness.ts'
import { connectLive } from '../../test/live-client.ts'
import { auditOf, callOperator, makeOperator } from '../../test/operators.ts'
import { emailsTo } from '../../test/outbox.ts'
import { makeUser, upload, type TestUser } from '../../test/test-data.ts'

let server: TestServer
let address: string
let operator: TestUser
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
  address = await server.listen()
  operator = await makeOperator(server)
})
afterAll(() => server.close())

const reason = 'Complaint 12 of the police'
const query = (text: string, values: unknown[]) => server.app.deps.pool.query(text, values)
const act = (id: string, action: 'hide' | 'show', message?: string) =>
  callOperator(server, operator, `photos/${id}/${action}`, { reason, ...(message !== undefined && { message }) })
const call = (user: TestUser, method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, body?: object) =>
  server.request({ method, url, token: user.token, ...(body && { body }) })
const photoOf = async (user: TestUser, id: string) => (await call(user, 'GET', `/photos/${id}`)).json<Photo>()
const guestStatus = async (id: string): Promise<number> =>
  (await server.request({ method: 'GET', url: `/photos/${id}/public` })).statusCode
async function textsTo({ email }: TestUser): Promise<{ subject: string | undefined; text: string }[]> {
  await server.work()
  return (await emailsTo(server, email)).map(({ subject, text = '' }) => ({ subject, text }))
}

/** An owner with a confirmed address and one reported photo. */
async function makeReported({ isConfirmed = true, language = 'en' } = {}): Promise<{ owner: TestUser; id: string }> {
  const owner = await makeUser(server)
  await query('update users set email_verified_at = case when $2 then now() end, language = $3 where id = $1', [
    owner.id,
    isConfirmed,
    language,
  ])
  const [id = ''] = await addPhotos(server, owner, { count: 1 })
  await query(`insert into photo_reports (id, photo_id, user_id, reason) values ($1, $1, $2, 'child')`, [id, owner.id])
  return { owner, id }
}
const notYours = {
  code: 'forbidden',
  detail:
    'This photo was hidden from guests by the operator of this site. Please write to support if you think that this is a mistake.',
}

test('a photo that an operator hides is closed for guests at once, and its owner sees who hid it, when and why', async () => {
  const owner = await makeUser(server)
  const { id } = (await upload(server, owner, await jpeg())).json<Photo>()
  await server.work()
  // Nobody has reported it.
  expect([(await act(id, 'hide')).statusCode, await guestStatus(id)]).toEqual([404, 200])
  await server.request({ method: 'POST', url: `/photos/${id}/report`, body: { reason: 'child' } })
  const live = await connectLive(address, owner.token)
  const hidden = (await act(id, 'hide', ' The parents <b>asked</b> us.\n')).json<ReportedPhoto>()
  expect(hidden).toMatchObject({
    owner: { id: owner.id },
    report: { hidden: true, hidden_by_operator: true, open: false, decision: 'hide' },
  })
  expect(await guestStatus(id)).toBe(404)
  const decided = { decision: 'hide', message: 'The parents <b>asked</b> us.', decided_at: expect.stringMatching(/Z$/) }
  const told = await live.next((message) => message.action === 'photo_update' && message.photo.hidden)
  live.socket.close()
  expect(told).toMatchObject({ photo: { id, operator_decision: decided } })
  expect(await photoOf(owner, id)).toMatchObject({ hidden: true, operator_decision: decided })
  const { reports } = (await call(owner, 'GET', '/user/reports')).json<{ reports: PhotoReport[] }>()
  expect(reports).toMatchObject([{ hidden: true, hidden_by_operator: true }])
  expect(await auditOf(server, id)).toMatchObject([{ action: 'hide reported photo', reason, outcome: 'done' }])
  // The reason is for the log alone, and guests get neither.
  const answers = await Promise.all([call(owner, 'GET', `/photos/${id}`), call(owner, 'GET', '/user/reports')])
  for (const { body } of answers) expect(body).not.toContain(reason)
  const gone = await server.request({ method: 'GET', url: `/request-photo/${id}`, headers: { accept: 'text/html' } })
  expect(gone.body).not.toMatch(/parents|police/)
})

describe('the owner', () => {
  test('cannot show it, and can delete it', async () => {
    const { owner, id } = await makeReported()
    const first = (await call(owner, 'POST', `/photos/${id}/decision`, { decision: 'hide' })).json<PhotoReport>()
    expect((await act(id, 'hide')).statusCode).toBe(200)
    const undo = `/photos/${id}/decision?decided_at=${encodeURIComponent(first.decided_at ?? '')}`
    for (const answer of [
      await call(owner, 'PUT', `/photos/${id}`, { hidden: false }),
      await call(owner, 'POST', `/photos/${id}/decision`, { decision: 'keep' }),
      await call(owner, 'DELETE', undo),
    ])
      expect([answer.statusCode, answer.json()]).toEqual([403, notYours])
    expect((await call(owner, 'PUT', `/photos/${id}`, { hidden: true })).statusCode).toBe(200)
    expect(await photoOf(owner, id)).toMatchObject({ hidden: true })
    // To others the photo does not exist.
    const stranger = await makeUser(server)
    expect((await call(stranger, 'POST', `/photos/${id}/decision`, { decision: 'keep' })).statusCode).toBe(404)
    expect((await call(owner, 'DELETE', `/photos/${id}`)).statusCode).toBe(204)
    expect(await textsTo(owner)).toEqual([])
  })

  test('can show and hide it again after an operator has shown it', async () => {
    const { owner, id } = await makeReported()
    await act(id, 'hide', 'Wait')
    const shown = (await act(id, 'show', 'Sorry')).json<ReportedPhoto>()
    expect(shown.report).toMatchObject({ hidden: false, hidden_by_operator: false, open: false, decision: 'keep' })
    expect(await photoOf(owner, id)).toMatchObject({
      hidden: false,
      operator_decision: { decision: 'show', message: 'Sorry' },
    })
    expect(await guestStatus(id)).toBe(200)
    for (const hidden of [true, false])
      expect((await call(owner, 'PUT', `/photos/${id}`, { hidden })).json()).toMatchObject({ hidden })
  })

  test('keeps what they had hidden before', async () => {
    const { owner, id } = await makeReported()
    await call(owner, 'PUT', `/photos/${id}`, { hidden: true })
    await act(id, 'hide')
    expect((await act(id, 'show')).json<ReportedPhoto>().report).toMatchObject({
      hidden: true,
      hidden_by_operator: false,
    })
    expect(await guestStatus(id)).toBe(404)
    expect((await textsTo(owner)).map(({ text }) => text).join()).toContain('because you had hidden it yourself')
    expect((await call(owner, 'PUT', `/photos/${id}`, { hidden: false })).statusCode).toBe(200)
  })
})

describe('the email', () => {
  test('goes once for each time that it is hidden, with the message, the way to support, and not the reason', async () => {
    const { owner, id } = await makeReported()
    await act(id, 'hide', 'The parents asked us.\nPlease ask them.')
    expect((await act(id, 'hide', 'Another message')).statusCode).toBe(200)
    const [hidden, ...others] = await textsTo(owner)
    expect([hidden?.subject, others]).toEqual(['One of your photos was hidden from guests', []])
    expect(hidden?.text).toContain('> The parents asked us.\n> Please ask them.')
    expect(hidden?.text).toContain(`${publicUrl}/support`)
    expect(hidden?.text).not.toMatch(/police|Another message/)
    await act(id, 'show')
    await act(id, 'hide', '\u200b ')
    // Composed when it is sent: nothing about the time in between.
    const [, second, ...more] = await textsTo(owner)
    expect([second?.subject, more]).toEqual(['One of your photos was hidden from guests', []])
    expect(second?.text).toContain('A guest reported it, and it was reviewed.')
    expect((await act(id, 'show', 'Sorry')).statusCode).toBe(200)
    const shown = (await textsTo(owner)).at(-1)
    expect(shown?.subject).toBe('Your photo is allowed again')
    expect(shown?.text).toContain(`${publicUrl}/gallery?photo=${id}`)
  })

  test('is in the language of the owner', async () => {
    const { owner, id } = await makeReported({ language: 'nl' })
    await act(id, 'hide')
    expect(await textsTo(owner)).toMatchObject([{ subject: 'Een foto van je is verborgen voor gasten' }])
  })

  test('is not sent to a deactivated account, nor after its photo was deleted', async () => {
    const [one, two] = [await makeReported(), await makeReported()]
    await query('update users set is_active = false where id = $1', [one.owner.id])
    await act(one.id, 'hide')
    await act(two.id, 'hide')
    await call(two.owner, 'DELETE', `/photos/${two.id}`)
    expect([await textsTo(one.owner), await textsTo(two.owner)]).toEqual([[], []])
  })

  test('goes to an unconfirmed address a few times a day only, together with emails about reports', async () => {
    const { owner, id } = await makeReported({ isConfirmed: false })
    const [another = ''] = await addPhotos(server, owner, { count: 1 })
    for (let n = 0; n <= reportEmailLimits.unverifiedEmailsPerDay; n++) {
      await act(id, 'hide')
      await textsTo(owner)
      await act(id, 'show')
      await textsTo(owner)
    }
    await server.request({ method: 'POST', url: `/photos/${another}/report`, body: { reason: 'child' } })
    expect(await textsTo(owner)).toHaveLength(reportEmailLimits.unverifiedEmailsPerDay)
    // A day later the report is sent.
    await query("update emails set due_at = now(), created_at = created_at - interval '1 day' where user_id = $1", [
      owner.id,
    ])
    await query("update graphile_worker._private_jobs set run_at = now() where key like 'email:%'", [])
    expect(await textsTo(owner)).toHaveLength(reportEmailLimits.unverifiedEmailsPerDay + 1)
  })
})

test('what no operator has hidden cannot be shown, and long messages are refused', async () => {
  const { owner, id } = await makeReported()
  await call(owner, 'PUT', `/photos/${id}`, { hidden: true })
  expect((await act(id, 'show')).json()).toEqual({
    code: 'conflict',
    detail: 'No operator has hidden this photo. Its owner decides whether guests can open it.',
  })
  expect(await photoOf(owner, id)).toMatchObject({ hidden: true, operator_decision: null })
  for (const message of ['x'.repeat(501), 'a\0b']) expect((await act(id, 'hide', message)).statusCode).toBe(422)
  const isHidden = (await call(owner, 'GET', '/user/reports')).json<{ reports: PhotoReport[] }>().reports[0]
  expect(isHidden).toMatchObject({ hidden: true, hidden_by_operator: false })
})
