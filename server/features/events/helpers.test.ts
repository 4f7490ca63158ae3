import { expect, test } from 'vitest'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import type { Helper, helperDecide, helperReview, HelperWithLink } from '@keepsnap/contract/event-helpers.ts'
import type { ReviewPhoto } from '@keepsnap/contract/event-photos.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { eventActions } from '../../test/event-guests.ts'
import { useServer } from '../../test/harness.ts'
import { emailsTo } from '../../test/outbox.ts'
import { makeUser, type TestUser, upload } from '../../test/test-data.ts'

const server = useServer({ LOG_LEVEL: 'silent' })
const { call, createEvent, guestOf, codeOf, add, review, decide } = eventActions(() => server)
const query = (text: string, values: unknown[] = []) => server.app.deps.pool.query(text, values)
const file = await jpeg({ width: 64, height: 48 })

type Device = { cookie?: string | undefined; helper?: string }
const asDevice = (device: Device, method: 'GET' | 'POST', path: string, body?: object) =>
  server.request({
    method,
    url: `/helper/${path}`,
    ...(device.cookie !== undefined && { headers: { cookie: device.cookie } }),
    ...(body && { body }),
  })
const secretOf = ({ link }: HelperWithLink): string => new URL(link).hash.slice(1)
/** Presses the button on a device, which keeps the cookie that it gets. */
async function begin(device: Device, secret: string): Promise<number> {
  const answer = await asDevice(device, 'POST', 'session', { secret })
  const cookie = answer.headers['set-cookie']
  if (cookie !== undefined) device.cookie = String(cookie).split(';', 1)[0]
  return answer.statusCode
}
const helperOf = async (user: TestUser, event: Event, name = 'Anna'): Promise<HelperWithLink> => {
  const answer = await call(user, 'POST', `/user/events/${event.id}/helpers`, { name })
  expect([answer.statusCode, answer.body]).toEqual([201, expect.stringContaining('#')])
  return answer.json<HelperWithLink>()
}
const helpersOf = async (user: TestUser, event: Event): Promise<Helper[]> =>
  (await call(user, 'GET', `/user/events/${event.id}/helpers`)).json<{ helpers: Helper[] }>().helpers
const pathOf = (event: Event, { helper }: HelperWithLink, act: string): string =>
  `/user/events/${event.id}/helpers/${helper.id}/${act}`
const listOf = async (device: Device, list = 'waiting'): Promise<Reply<typeof helperReview>> => {
  const answer = await asDevice(device, 'GET', `review?list=${list}`)
  expect(answer.statusCode).toBe(200)
  return answer.json()
}
/** What the helper of a device calls photos. */
const tokensOf = ({ helper = '' }: Device) => server.app.deps.tokens.galleryPhotos(`helper ${helper}`)
const tokens = (device: Device, ids: string[]): string[] => ids.map(tokensOf(device).encrypt)
const idsOf = (device: Device, given: string[]): string[] => given.map((token) => tokensOf(device).decrypt(token) ?? '')
const decideAs = async (device: Device, ids: string[], [from, to]: readonly [string, string]) => {
  const answer = await asDevice(device, 'POST', 'review', { ids: tokens(device, ids), from, to })
  const { results } = answer.json<Reply<typeof helperDecide>>()
  return results.map((one) => ({ ...one, id: tokensOf(device).decrypt(one.id) }))
}
const outcomes = (results: { outcome: string }[]): string[] => results.map(({ outcome }) => outcome)
const hide = async (device: Device, ids: string[], hidden = true) => {
  const answer = await asDevice(device, 'POST', 'hide', { ids: tokens(device, ids), hidden })
  return idsOf(device, answer.json<{ ids: string[] }>().ids)
}
const stateOf = async (id: string) =>
  (
    await query(
      'select review, reviewed_by, hidden_at is not null as hidden, hidden_by, is_listed from photos where id = $1',
      [id],
    )
  ).rows[0] as { review: string; reviewed_by: string | null; hidden: boolean; hidden_by: string | null }

/** An event with photos of a guest that wait, and a helper who has begun. */
async function makeReview({ photos = 3, settings = {} }: { photos?: number; settings?: object } = {}) {
  const user = await makeUser(server)
  const event = await createEvent(user, { name: 'Lotte & Bram', ...settings })
  const guest = await guestOf(codeOf(event), { name: 'Lien' })
  for (let count = 0; count < photos; count += 1) expect((await add(guest, file)).statusCode).toBe(201)
  await server.work()
  const made = await helperOf(user, event)
  const device: Device = { helper: made.helper.id }
  expect(await begin(device, secretOf(made))).toBe(204)
  const ids = (await review(user, event)).photos.map(({ id }) => id)
  return { user, event, guest, made, device, ids }
}

test('a helper is created after a recent password, told to the owner, with a link that is in no other answer', async () => {
  const user = await makeUser(server)
  const event = await createEvent(user, { ends_on: '2099-06-01', starts_on: '2099-05-31' })
  const url = `/user/events/${event.id}/helpers`
  await query(`update sessions set created_at = now() - interval '11 minutes' where user_id = $1`, [user.id])
  expect((await call(user, 'POST', url, { name: 'Anna' })).json()).toMatchObject({ code: 'confirm_password' })
  await query('update sessions set created_at = now() where user_id = $1', [user.id])
  for (const name of ['', 'a.example.com', 'x'.repeat(41), 'A\u202eB'])
    expect([name, (await call(user, 'POST', url, { name })).statusCode]).toEqual([name, 422])
  const made = await helperOf(user, event, ' Anna ')
  expect(made.link).toMatch(/\/h#[0-9A-Za-z]{43}$/)
  expect(made.qr_svg).toMatch(/^<svg/)
  // In the morning after the day after.
  expect(made.helper).toMatchObject({ name: 'Anna', state: 'new', approved: 0, begun_at: null })
  expect(made.helper.expires_at).toMatch(/^2099-06-03T0\d:00/)
  const { helper } = await helperOf(user, await createEvent(user, { ends_on: '2020-01-01', starts_on: '2020-01-01' }))
  expect(Math.round((Date.parse(helper.expires_at) - Date.now()) / 3_600_000)).toBe(48)
  await server.work()
  const told = (await emailsTo(server, user.email)).map(({ text = '' }) => text)
  expect(told.filter((text) => text.includes('Anna'))).toHaveLength(2)
  for (const text of [
    ...told,
    (await call(user, 'GET', url)).body,
    (await call(user, 'GET', '/user/event-helpers')).body,
  ])
    expect(text).not.toContain(secretOf(made))
  await query(
    `insert into helpers (id, event_id, name, secret_hash, expires_at)
     select 'full' || n || $1, $1, 'x', sha256(('x' || n || $1)::bytea), now() from generate_series(1, 49) as n`,
    [event.id],
  )
  expect((await call(user, 'POST', url, { name: 'Bo' })).statusCode).toBe(409)
  const stranger = await makeUser(server)
  for (const [method, path, body] of [
    ['GET', url],
    ['POST', url, { name: 'Anna' }],
    ...['link', 'undo', 'end'].map((act) => ['POST', pathOf(event, made, act)] as const),
    ['POST', pathOf(event, made, 'allow-device'), { asked_at: 'now' }],
    ['DELETE', `${url}/${made.helper.id}`],
  ] as const)
    expect([path, (await call(stranger, method, path, body)).statusCode]).toEqual([path, 404])
})

test('of 20 devices that use a link at once exactly one is bound; another one is used once the owner allows it', async () => {
  const { user, event } = await makeReview({ photos: 1 })
  const made = await helperOf(user, event, 'Bo')
  const secret = secretOf(made)
  // Looking at the page binds nothing, nor does another secret.
  expect((await asDevice({}, 'GET', 'review')).statusCode).toBe(404)
  expect(await begin({}, `${secret.slice(1)}0`)).toBe(404)
  const devices: Device[] = Array.from({ length: 20 }, () => ({}))
  const statuses = await Promise.all(devices.map((device) => begin(device, secret)))
  expect(statuses.filter((status) => status === 204)).toHaveLength(1)
  expect(statuses.filter((status) => status === 403)).toHaveLength(19)
  const first = devices[statuses.indexOf(204)]!
  expect(await begin(first, secret)).toBe(204)
  const second: Device = {}
  expect([await begin(second, secret), await begin(second, secret)]).toEqual([403, 403])
  const refused = await asDevice(second, 'GET', 'review')
  expect(refused.json()).toMatchObject({ detail: expect.stringContaining('ask the host to allow this one') })
  for (const path of ['review', 'hide', 'hold']) {
    const body = { review: { ids: ['x'], from: 'waiting', to: 'approved' }, hide: { ids: ['x'], hidden: true } }[path]
    expect((await asDevice(second, 'POST', path, body ?? { photo_id: null })).statusCode).toBe(403)
  }
  expect((await helpersOf(user, event))[0]).toMatchObject({ name: 'Bo', state: 'asks' })
  // Not one that has asked since the owner looked.
  const { asked_at } = (await helpersOf(user, event))[0]!
  await begin({}, secret)
  await begin(second, secret)
  const allow = (body: object) => call(user, 'POST', pathOf(event, made, 'allow-device'), body)
  for (const body of [{ asked_at }, { asked_at: 'now' }])
    expect((await allow(body)).json()).toMatchObject({ detail: expect.stringContaining('Another device has asked') })
  const allowed = await allow({ asked_at: (await helpersOf(user, event))[0]!.asked_at })
  expect(allowed.json()).toMatchObject({ state: 'begun', asked_at: null })
  expect((await allow({ asked_at })).statusCode).toBe(409)
  expect((await listOf(second)).helper_name).toBe('Bo')
  expect((await asDevice(first, 'GET', 'review')).statusCode).toBe(404)
  // A new link ends the one before, with its device.
  const renewed = (await call(user, 'POST', pathOf(event, made, 'link'))).json<HelperWithLink>()
  expect([await begin({}, secret), (await asDevice(second, 'GET', 'review')).statusCode]).toEqual([404, 404])
  expect(await begin({}, secretOf(renewed))).toBe(204)
})

test('the cookie is for the calls of helpers alone, and no script or other site has it', async () => {
  const { user, event } = await makeReview({ photos: 0 })
  const answer = await asDevice({}, 'POST', 'session', { secret: secretOf(await helperOf(user, event)) })
  expect(String(answer.headers['set-cookie'])).toMatch(
    /^helper=[0-9A-Za-z]{43}; Max-Age=\d+; Path=\/helper; HttpOnly; SameSite=Strict/,
  )
})

test('a helper sees what waits and what guests can see, without ids of contributors, codes, addresses or originals', async () => {
  const { user, event, device, ids } = await makeReview()
  await upload(server, user, file, { query: `?event=${event.id}` })
  await upload(server, user, file)
  await server.work()
  const [own] = (await call(user, 'GET', `/photos?event=${event.id}`)).json<Photo[]>()
  expect(outcomes(await decideAs(device, [ids[0]!], ['waiting', 'approved']))).toEqual(['done'])
  expect(outcomes(await decideAs(device, [ids[1]!], ['waiting', 'rejected']))).toEqual(['done'])
  await call(user, 'PUT', '/user/current-event', { event_id: event.id })
  expect((await asDevice(device, 'POST', 'hold', { photo_id: tokens(device, ids)[0] })).statusCode).toBe(200)
  const [waiting, shown] = [await listOf(device), await listOf(device, 'shown')]
  expect(waiting).toMatchObject({ event_name: 'Lotte & Bram', helper_name: 'Anna', waiting_count: 1 })
  expect(waiting.photos.map(({ id, contributor_name }) => [id, contributor_name])).toEqual([
    [tokens(device, ids)[2], 'Lien'],
  ])
  expect(shown.photos.map(({ id, review: state }) => [tokensOf(device).decrypt(id), state])).toEqual([
    [ids[0], 'approved'],
    [own!.id, 'none'],
  ])
  const { rows } = await query(
    'select id, contributor_id, code, original_key, full_key from photos where event_id = $1 and deleted_at is null',
    [event.id],
  )
  const nameOf = (key: unknown): string => String(key).split('/').at(-1)!
  const bodies = JSON.stringify([waiting, shown])
  const secrets = (rows as { id: string; contributor_id: string | null; code: string }[]).flatMap(
    ({ id, contributor_id: contributor, code }) => [id, code, ...(contributor === null ? [] : [contributor])],
  )
  expect(secrets.filter((secret) => bodies.includes(secret))).toEqual([])
  expect(bodies).not.toContain('/media/')
  for (const { thumbnail_url, screen_url } of [...waiting.photos, ...shown.photos])
    for (const url of [thumbnail_url, screen_url]) {
      const { pathname, search } = new URL(url!)
      expect((await server.request({ method: 'GET', url: pathname + search })).headers['content-type']).toMatch(
        /^image/,
      )
      // The same signature does not open the full image.
      const media = `/media/${nameOf((rows[0] as { full_key: string }).full_key)}${search}`
      expect((await server.request({ method: 'GET', url: media })).statusCode).toBe(404)
    }
  // An id, or what another helper calls the photo, is unknown; the token opens nothing of guests.
  const other: Device = { helper: (await helperOf(user, event, 'Bo')).helper.id }
  const [token] = tokens(device, [ids[2]!]) as [string]
  for (const id of [ids[2], tokens(other, [ids[2]!])[0]]) {
    const answer = await asDevice(device, 'POST', 'review', { ids: [id], from: 'waiting', to: 'approved' })
    expect(answer.json()).toMatchObject({ results: [{ id, outcome: 'not found', review: null }] })
  }
  for (const url of [`/request-photo/${token}`, `/photos/${token}/public`, `/e/${codeOf(event)}/p/${token}`])
    expect((await server.request({ method: 'GET', url })).statusCode).toBe(404)
  // Nothing of the owner's is open to the device.
  const { cookie = '' } = device
  for (const [method, url] of [
    ['GET', `/user/events/${event.id}`],
    ['GET', `/user/events/${event.id}/review`],
    ['POST', `/user/events/${event.id}/helpers`],
    ['DELETE', `/photos/${ids[0]}`],
    ['POST', '/photos/move'],
  ] as const)
    expect((await server.request({ method, url, headers: { cookie } })).statusCode).toBe(401)
})

test('the larger picture is never the full image, has not its name, and is of no use once the photo is in no or another event', async () => {
  const { user, event, device } = await makeReview({ photos: 1 })
  const { id } = (await upload(server, user, file, { query: `?event=${event.id}` })).json<Photo>()
  await server.work()
  const image = ({ photos: [photo] }: Reply<typeof helperReview>) => {
    const { pathname, search } = new URL(photo!.screen_url!)
    return server.request({ method: 'GET', url: pathname + search })
  }
  // Neither of these has a picture for screens: a transparent one, and a guest's.
  const enlarge = `update photos set width = 4000, height = 3000, full_type = 'image/png' where event_id = $1`
  await query(enlarge, [event.id])
  server.app.deps.mediaCache.invalidateUser(user.id)
  const lists = [await listOf(device, 'shown'), await listOf(device)] as const
  for (const list of lists) {
    const { headers, statusCode } = await image(list)
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'image/webp',
      'private, no-cache',
    ])
    expect(headers['content-disposition']).not.toContain('photo.jpg')
  }
  await call(user, 'POST', '/photos/move', { ids: [id], event_id: null })
  expect((await image(lists[0])).statusCode).toBe(404)
})

test('a helper changes nothing that the owner decided or hid, nothing of other events, and no right of its own', async () => {
  const { user, event, device, ids } = await makeReview({ photos: 4 })
  const [approved, rejected, hidden, waiting] = ids as [string, string, string, string]
  await decide(user, event, [approved, hidden], ['waiting', 'approved'])
  await decide(user, event, [rejected], ['waiting', 'rejected'])
  await call(user, 'PUT', `/photos/${hidden}`, { hidden: true })
  expect(outcomes(await decideAs(device, [approved], ['approved', 'rejected']))).toEqual(['conflict'])
  for (const to of ['approved', 'waiting'])
    expect(await decideAs(device, [rejected], ['rejected', to])).toEqual([
      { id: rejected, outcome: 'conflict', review: 'rejected' },
    ])
  expect(await hide(device, [hidden], false)).toEqual([])
  expect((await listOf(device, 'shown')).photos.map(({ id }) => id)).toEqual(tokens(device, [approved]))

  // The owner hides what a helper has hidden: by both of the ways to hide.
  const other = await makeReview({ photos: 2 })
  await decide(other.user, other.event, other.ids, ['waiting', 'approved'])
  expect((await hide(other.device, other.ids)).toSorted()).toEqual(other.ids.toSorted())
  const hiddenPhotos = (await listOf(other.device, 'shown')).photos
  expect(hiddenPhotos.map(({ hidden: isHidden }) => isHidden)).toEqual([true, true])
  const pictures = async () => {
    const urls = hiddenPhotos.flatMap(({ thumbnail_url, screen_url }) => [
      new URL(thumbnail_url!),
      new URL(screen_url!),
    ])
    const answers = urls.map(({ pathname, search }) => server.request({ method: 'GET', url: pathname + search }))
    return new Set((await Promise.all(answers)).map(({ statusCode }) => statusCode))
  }
  expect(await pictures()).toEqual(new Set([200]))
  await call(other.user, 'PUT', `/photos/${other.ids[0]}`, { hidden: true })
  await server.request({ method: 'POST', url: `/photos/${other.ids[1]}/report`, body: { reason: 'me' } })
  await call(other.user, 'POST', `/photos/${other.ids[1]}/decision`, { decision: 'hide' })
  expect(await hide(other.device, other.ids, false)).toEqual([])
  expect((await listOf(other.device, 'shown')).photos).toEqual([])
  // Nor are the addresses of before of any use.
  expect(await pictures()).toEqual(new Set([404]))

  // A guest who is blocked stays so, whatever was decided by the helper.
  const third = await makeReview({ photos: 2 })
  await decideAs(third.device, [third.ids[0]!], ['waiting', 'rejected'])
  await decideAs(third.device, [third.ids[1]!], ['waiting', 'approved'])
  await hide(third.device, [third.ids[1]!])
  const [{ contributor } = { contributor: null }] = (await review(third.user, third.event, '?list=decided')).photos
  await call(third.user, 'POST', `/user/events/${third.event.id}/contributors/${contributor!.id}/block`)
  expect(outcomes(await decideAs(third.device, [third.ids[0]!], ['rejected', 'approved']))).toEqual(['conflict'])
  expect(await hide(third.device, [third.ids[1]!], false)).toEqual([])

  // Photos of other events do not exist for it.
  expect(outcomes(await decideAs(other.device, [waiting], ['waiting', 'approved']))).toEqual(['not found'])
  expect(await hide(other.device, [approved])).toEqual([])
  await call(user, 'PUT', '/user/current-event', { event_id: event.id })
  expect((await asDevice(device, 'POST', 'hold', { photo_id: tokens(device, other.ids)[0] })).statusCode).toBe(404)

  const before = (await query('select * from helpers where event_id = $1', [event.id])).rows
  for (const [path, body] of [
    ['session', { secret: 'x'.repeat(43), expires_at: '2199-01-01' }],
    ['review', { ids: [waiting], from: 'waiting', to: 'approved', reviewed_by: 'owner', event_id: other.event.id }],
    ['hide', { ids: [approved], hidden: true, hidden_by: null }],
    ['hold', { photo_id: approved, user_id: other.user.id }],
  ] as const)
    expect([path, (await asDevice(device, 'POST', path, body)).statusCode]).toEqual([path, 422])
  expect((await query('select * from helpers where event_id = $1', [event.id])).rows).toEqual(before)
  expect(await stateOf(waiting)).toMatchObject({ review: 'waiting', hidden: false })
})

test('a helper holds a photo of the event while screens show it, and releases no other', async () => {
  const { user, event, device, ids } = await makeReview({ photos: 1 })
  await decideAs(device, ids, ['waiting', 'approved'])
  const [token] = tokens(device, ids) as [string]
  const hold = (photo_id: string | null) => asDevice(device, 'POST', 'hold', { photo_id })
  expect((await hold(token)).statusCode).toBe(409)
  await call(user, 'PUT', '/user/current-event', { event_id: event.id })
  expect((await hold(token)).json()).toMatchObject({ hold: { photo_id: token } })
  expect((await call(user, 'GET', '/user/hold')).json()).toMatchObject({ hold: { photo_id: ids[0] } })
  expect(await listOf(device, 'shown')).toMatchObject({ on_screens: true, hold: { photo_id: token } })
  expect((await hold(null)).json()).toEqual({ hold: null })
  const { id } = (await upload(server, user, file, { query: '?event=none' })).json<Photo>()
  await server.work()
  await call(user, 'PUT', '/user/hold', { photo_id: id })
  expect((await listOf(device, 'shown')).hold).toBe(null)
  expect((await hold(null)).statusCode).toBe(200)
  expect((await call(user, 'GET', '/user/hold')).json()).toMatchObject({ hold: { photo_id: id } })
})

test('the owner sees who did what, and undoes all of it that nobody has decided since', async () => {
  const { user, event, device, made, ids } = await makeReview({ photos: 5 })
  const [one, two, three, four, five] = ids as [string, string, string, string, string]
  await decideAs(device, [one, two, three], ['waiting', 'approved'])
  await decideAs(device, [four, five], ['waiting', 'rejected'])
  await hide(device, [one])
  // The owner decides about two of them, another helper about one.
  await decide(user, event, [two], ['approved', 'rejected'])
  await decide(user, event, [four], ['rejected', 'approved'])
  const second = await helperOf(user, event, 'Bo')
  const other: Device = { helper: second.helper.id }
  await begin(other, secretOf(second))
  expect(outcomes(await decideAs(other, [five], ['rejected', 'approved']))).toEqual(['done'])
  const [bo, anna] = await helpersOf(user, event)
  expect(bo).toMatchObject({ name: 'Bo', approved: 1, rejected: 0, hidden: 0 })
  expect(anna).toMatchObject({ name: 'Anna', state: 'begun', approved: 2, rejected: 0, hidden: 1 })
  const decided = (await review(user, event, '?list=decided')).photos
  const by = ({ reviewed_by, helper_name }: ReviewPhoto) => [reviewed_by, helper_name]
  expect(Object.fromEntries(decided.map((photo) => [photo.id, by(photo)]))).toEqual({
    [one]: ['helper', 'Anna'],
    [two]: ['owner', null],
    [three]: ['helper', 'Anna'],
    [four]: ['owner', null],
    [five]: ['helper', 'Bo'],
  })
  const { rows: log } = await query(
    `select action, count(*) from audit_log where actor_kind = 'helper' and actor_id = $1 and user_id = $2 group by action order by action`,
    [made.helper.id, user.id],
  )
  expect(log).toEqual([
    { action: 'approve photo', count: 3 },
    { action: 'hide photo', count: 1 },
    { action: 'reject photo', count: 2 },
  ])

  const undone = await call(user, 'POST', pathOf(event, made, 'undo'))
  expect(undone.json()).toEqual({ waiting: 2, shown: 1, waiting_count: 2 })
  expect(await Promise.all(ids.map(async (id) => (await stateOf(id)).review))).toEqual([
    'waiting',
    'rejected',
    'waiting',
    'approved',
    'approved',
  ])
  expect(await stateOf(one)).toMatchObject({ reviewed_by: null, hidden: false, hidden_by: null })
  expect((await call(user, 'POST', pathOf(event, made, 'undo'))).json()).toMatchObject({ waiting: 0, shown: 0 })
  // Once removed, the helper has no name anywhere.
  const [{ id: bosId } = { id: '' }] = await helpersOf(user, event)
  expect((await call(user, 'DELETE', `/user/events/${event.id}/helpers/${bosId}`)).statusCode).toBe(204)
  const [last] = (await review(user, event, '?list=decided')).photos.filter(({ id }) => id === five)
  expect(by(last!)).toEqual(['helper', null])
  expect((await asDevice(other, 'GET', 'review')).statusCode).toBe(404)
})

test('undoing all of a helper shows nothing of a contributor whom the owner has blocked', async () => {
  const { user, event, device, made, ids } = await makeReview({ photos: 2 })
  await decideAs(device, [ids[0]!], ['waiting', 'approved'])
  await decideAs(device, [ids[1]!], ['waiting', 'rejected'])
  await hide(device, [ids[0]!])
  const [{ contributor } = { contributor: null }] = (await review(user, event, '?list=decided')).photos
  const block = (act: string) => call(user, 'POST', `/user/events/${event.id}/contributors/${contributor!.id}/${act}`)
  await block('block')
  const undo = async () => (await call(user, 'POST', pathOf(event, made, 'undo'))).json<object>()
  expect(await undo()).toMatchObject({ waiting: 0, shown: 0 })
  expect(await stateOf(ids[0]!)).toMatchObject({ review: 'approved', hidden: true })
  expect(await stateOf(ids[1]!)).toMatchObject({ review: 'rejected' })
  await block('unblock')
  expect(await undo()).toMatchObject({ waiting: 2, shown: 1 })
})

test('counts of the month follow what a helper decides, and the undoing of it', async () => {
  const { user, event, device, made, ids } = await makeReview({ photos: 2 })
  const used = async () =>
    (await query('select uploads from guest_months where user_id = $1', [user.id])).rows as { uploads: number }[]
  expect(await used()).toEqual([{ uploads: 2 }])
  await decideAs(device, ids, ['waiting', 'rejected'])
  expect(await used()).toEqual([{ uploads: 0 }])
  await call(user, 'POST', pathOf(event, made, 'undo'))
  expect(await used()).toEqual([{ uploads: 2 }])
})

test('ends at once when the owner ends or removes it, it expires, its event is deleted or its account deactivated', async () => {
  const { user, event } = await makeReview({ photos: 1 })
  const ends: Record<string, (made: HelperWithLink) => Promise<unknown>> = {
    ended: (made) => call(user, 'POST', pathOf(event, made, 'end')),
    removed: ({ helper }) => call(user, 'DELETE', `/user/events/${event.id}/helpers/${helper.id}`),
    'ended after a review': ({ helper }) => call(user, 'POST', '/user/event-helpers/revocation', { ids: [helper.id] }),
    expired: ({ helper }) => query('update helpers set expires_at = now() where id = $1', [helper.id]),
    deleted: () => call(user, 'DELETE', `/user/events/${event.id}`),
    deactivated: () => query('update users set is_active = false where id = $1', [user.id]),
  }
  for (const [what, end] of Object.entries(ends)) {
    const made = await helperOf(user, event)
    const device: Device = {}
    expect([what, await begin(device, secretOf(made))]).toEqual([what, 204])
    const listed = (await call(user, 'GET', '/user/event-helpers')).json<{ helpers: Helper[] }>().helpers
    expect(listed.some(({ id }) => id === made.helper.id)).toBe(true)
    await end(made)
    const answers = [
      await asDevice(device, 'GET', 'review'),
      await asDevice(device, 'POST', 'review', { ids: ['x'], from: 'waiting', to: 'approved' }),
      await asDevice(device, 'POST', 'session', { secret: secretOf(made) }),
      await asDevice({}, 'POST', 'session', { secret: 'x'.repeat(43) }),
    ]
    expect([what, ...answers.map(({ statusCode }) => statusCode)]).toEqual([what, 404, 404, 404, 404])
    expect(new Set(answers.map(({ body }) => (JSON.parse(body) as { detail: string }).detail)).size).toBe(1)
    await call(user, 'POST', `/user/events/${event.id}/undo-delete`)
  }
  await query('update users set is_active = true where id = $1', [user.id])
  const made = await helperOf(user, event)
  await ends['ended']!(made)
  expect((await call(user, 'POST', pathOf(event, made, 'link'))).statusCode).toBe(409)
})

test('what a helper decides while the owner ends it is either done before, and can be undone, or not done at all', async () => {
  const { user, event, ids } = await makeReview({ photos: 1 })
  for (let round = 0; round < 12; round += 1) {
    const made = await helperOf(user, event, `Anna ${round}`)
    const device: Device = { helper: made.helper.id }
    await begin(device, secretOf(made))
    const acts = [
      () => asDevice(device, 'POST', 'review', { ids: tokens(device, ids), from: 'waiting', to: 'approved' }),
      () => call(user, 'POST', pathOf(event, made, 'end')),
    ]
    if (round % 2 === 1) acts.reverse()
    const answers = await Promise.all(acts.map((act) => act()))
    const decided = round % 2 === 1 ? answers[1]! : answers[0]!
    const state = await stateOf(ids[0]!)
    expect([
      [200, 'approved', made.helper.id],
      [404, 'waiting', null],
    ]).toContainEqual([decided.statusCode, state.review, state.reviewed_by])
    expect((await asDevice(device, 'POST', 'review', { ids, from: 'approved', to: 'rejected' })).statusCode).toBe(404)
    await call(user, 'POST', pathOf(event, made, 'undo'))
    await call(user, 'DELETE', `/user/events/${event.id}/helpers/${made.helper.id}`)
    expect((await stateOf(ids[0]!)).review).toBe('waiting')
  }
})

test('the owner’s page hears when a helper begins, when another device asks, and when something is decided', async () => {
  const { user, event, device, ids } = await makeReview({ photos: 1 })
  const kinds: string[] = []
  server.app.deps.bus.onEvent((one) => void ('user' in one && one.user === user.id && kinds.push(one.kind)))
  const secret = secretOf(await helperOf(user, event))
  for (const one of [{}, {}]) await begin(one, secret)
  await decideAs(device, ids, ['waiting', 'approved'])
  await hide(device, ids)
  await expect
    .poll(() => kinds.toSorted())
    .toEqual([...Array.from({ length: 3 }, () => 'events'), 'photo', 'photo', 'review', 'review'])
})
