import { once } from 'node:events'
import { truncate } from 'node:fs/promises'
import { request } from 'node:http'
import type { ReportedPhoto } from '@keepsnap/contract/operator-support.ts'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { expect, test } from 'vitest'
import { jpeg } from '../../images/test/sample-images.ts'
import {
  callOperator,
  createGrant,
  createKey,
  grantPlan,
  makeOperator,
  makeUser,
  type TestUser,
  upload,
} from '../../test/test-data.ts'
import { useServer } from '../../test/harness.ts'
import { newestSecret } from '../../test/outbox.ts'
import { storedFilePath } from '../../test/consistency-check.ts'

const server = useServer()

const pathOf = (url: string | null): string => new URL(String(url)).pathname + new URL(String(url)).search
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.app.deps.pool.query<Row>(text, values)).rows
const photoOf = async ({ token }: TestUser, id: string): Promise<Photo> =>
  (await server.request({ method: 'GET', url: `/photos/${id}`, token })).json()
const setHidden = (owner: TestUser, id: string, hidden: boolean) =>
  server.request({ method: 'PUT', url: `/photos/${id}`, token: owner.token, body: { hidden } })

/** An owner with a plan, a photo that was reported, an operator, and a key. */
async function makePhoto() {
  const [owner, operator] = [await makeUser(server), await makeOperator(server)]
  await query('update users set email_verified_at = now() where id = $1', [owner.id])
  await grantPlan(server, owner, 'pro_yearly')
  const { key } = await createKey(server, owner, { name: 'Booth' })
  const other = (await upload(server, owner, await jpeg({ width: 64, height: 64 }))).json<Photo>()
  const { id } = (await upload(server, owner, await jpeg({ width: 2100, height: 600 }))).json<Photo>()
  await server.work()
  await server.request({ method: 'POST', url: `/photos/${id}/report`, body: { reason: 'me' } })
  const decide = (decision: 'hide' | 'show') =>
    callOperator(server, operator, `photos/${id}/${decision}`, { reason: 'Complaint 12', message: 'Asked for' })
  const byKey = async (): Promise<{ photos: Photo[]; total: number }> =>
    (await server.request({ method: 'GET', url: '/api/photos', headers: { 'api-key': key } })).json()
  const reported = async (): Promise<ReportedPhoto | undefined> =>
    (await callOperator(server, operator, 'reports'))
      .json<{ photos: ReportedPhoto[] }>()
      .photos.find(({ report }) => report.photo.id === id)
  return { owner, operator, key, id, other: other.id, decide, byKey, reported }
}

const keysIn = <Key extends string>(table: Record<Key, unknown>): Key[] => Object.keys(table) as Key[] // has no other

const states = [
  'shown',
  'hidden by its owner',
  'shown again',
  'hidden by its owner once more',
  'hidden by an operator',
  'hidden by its owner alone',
  'shown for good',
] as const
type State = (typeof states)[number]
const [ownerHides, ownerHidesAgain, byOperator, ownerAlone] = [states[1], states[3], states[4], states[5]]
const whileShown: readonly State[] = [states[0], states[2], states[6]]

/** Each address that somebody has, and the states in which it answers. */
const openIn: Record<string, readonly State[]> = {
  'full image, from before': whileShown,
  'image for screens, from before': whileShown,
  'thumbnail, from before': whileShown,
  'the direct code': whileShown,
  'the request page': whileShown,
  'the public details': whileShown,
  'the image for screens of the direct code': whileShown,
  'the image for screens of a grant': whileShown,
  'the page of a grant': whileShown,
  'the download of a grant': whileShown,
  // Of the first time that the owner hid it.
  'full image, of the first time': [ownerHides],
  'image for screens, of the first time': [ownerHides],
  'thumbnail, of the first time': [...whileShown, ownerHides],
  'operator’s thumbnail, of the first time': [...whileShown, ownerHides],
  // The operator leaves `hidden_at` as the owner set it.
  'full image, of the second time': [ownerHidesAgain, ownerAlone],
  'image for screens, of the second time': [ownerHidesAgain, ownerAlone],
  'thumbnail, of the second time': [...whileShown, ownerHidesAgain, ownerAlone],
  'operator’s thumbnail, of the second time': [...whileShown, ownerHidesAgain, byOperator, ownerAlone],
}
const verbs = {
  GET: {},
  HEAD: {},
  range: { range: 'bytes=200-' },
  conditional: { 'if-none-match': '*' },
} as const

test('who asks for what, how, and while who hides the photo', async () => {
  const { owner, operator, key, id, other, decide, byKey, reported } = await makePhoto()
  const before = await photoOf(owner, id)
  const full = (await server.request({ method: 'GET', url: pathOf(before.b2_url) })).rawPayload
  const thumbnail = (await server.request({ method: 'GET', url: pathOf(before.thumbnail_url) })).rawPayload
  const screen = (await server.request({ method: 'GET', url: pathOf(before.screen_url) })).rawPayload
  const hasBytes = (body: Buffer): boolean =>
    [full, screen, thumbnail].some((file) => body.includes(file.subarray(file.length >> 1, (file.length >> 1) + 64)))
  const { secret: grant } = await createGrant(server, { photo: id, owner: owner.id })
  const addresses: Record<string, string> = {
    'full image, from before': pathOf(before.b2_url),
    'image for screens, from before': pathOf(before.screen_url),
    'thumbnail, from before': pathOf(before.thumbnail_url),
    'the direct code': `/d/${before.qr_code_url.split('/').at(-1)}`,
    'the request page': `/request-photo/${id}`,
    'the public details': `/photos/${id}/public`,
    'the image for screens of the direct code': `/d/${before.qr_code_url.split('/').at(-1)}?screen=1`,
    'the image for screens of a grant': `/g/${grant}/download?screen=1`,
    'the page of a grant': `/g/${grant}`,
    'the download of a grant': `/g/${grant}/download`,
  }
  const callers = {
    stranger: {},
    owner: { authorization: `Bearer ${owner.token}` },
    key: { 'api-key': key },
    operator: { authorization: `Bearer ${operator.token}` },
  }
  const noteAddresses = async (time: string): Promise<void> => {
    const [now, report] = [await photoOf(owner, id), await reported()]
    addresses[`full image, of the ${time} time`] = pathOf(now.b2_url)
    addresses[`image for screens, of the ${time} time`] = pathOf(now.screen_url)
    addresses[`thumbnail, of the ${time} time`] = pathOf(now.thumbnail_url)
    addresses[`operator’s thumbnail, of the ${time} time`] = pathOf(report!.report.photo.thumbnail_url)
  }
  const archive = async () => {
    const answer = await server.request({ method: 'GET', url: `/export/${exported}` })
    return answer.statusCode === 200 ? answer.rawPayload.includes(full) : answer.statusCode
  }
  await server.request({ method: 'POST', url: '/user/export', token: owner.token })
  await server.work()
  const exported = await newestSecret(server, owner.email, '/export/')

  const enter: Record<State, () => Promise<unknown>> = {
    shown: async () => {},
    'hidden by its owner': () => setHidden(owner, id, true).then(() => noteAddresses('first')),
    'shown again': () => setHidden(owner, id, false),
    'hidden by its owner once more': () => setHidden(owner, id, true).then(() => noteAddresses('second')),
    'hidden by an operator': () => decide('hide'),
    'hidden by its owner alone': () => decide('show'),
    'shown for good': () => setHidden(owner, id, false),
  }
  const wrong: unknown[] = []
  for (const state of states) {
    const isShown = whileShown.includes(state)
    const guest = `${states.indexOf(state)}@example.com`
    const askByEmail = () =>
      server.request({ method: 'POST', url: `/photos/${id}/request-email`, body: { email: guest } })
    const asked = [(await askByEmail()).statusCode]
    await enter[state]()
    asked.push((await askByEmail()).statusCode)
    // Taken back at once, and made again without the photo under the same link.
    const archiveBefore = await archive()
    expect([state, archiveBefore]).toEqual([state, state === byOperator ? 404 : states.indexOf(state) < 4])
    await server.work()
    const ask = async (what: string, who: keyof typeof callers, how: keyof typeof verbs): Promise<void> => {
      const method = how === 'HEAD' ? 'HEAD' : 'GET'
      const headers = { ...verbs[how], ...callers[who] }
      const { statusCode, rawPayload } = await server.request({ method, url: addresses[what]!, headers })
      const isOpen = statusCode < 400
      const isRight = isOpen ? openIn[what]?.includes(state) : !openIn[what]?.includes(state) && statusCode === 404
      if (!isRight || (!isOpen && hasBytes(rawPayload))) wrong.push([state, what, who, how, statusCode])
    }
    for (const what of Object.keys(addresses))
      await Promise.all(keysIn(callers).flatMap((who) => keysIn(verbs).map((how) => ask(what, who, how))))
    // What lists give out.
    const mine = await photoOf(owner, id)
    const keyed = await byKey()
    const isListed = state !== byOperator
    expect([state, mine.b2_url !== null, mine.screen_url !== null, mine.thumbnail_url !== null]).toEqual([
      state,
      isListed,
      isListed,
      isListed,
    ])
    expect(mine).toMatchObject({ hidden: !isShown, processing_complete: true, width: 2100 })
    const decisions: Partial<Record<State, string>> = {
      [byOperator]: 'hide',
      [ownerAlone]: 'show',
      [states[6]]: 'show',
    }
    expect(mine.operator_decision?.decision).toBe(decisions[state])
    expect([state, keyed.photos.map((photo) => photo.id), keyed.total]).toEqual([
      state,
      isListed ? [id, other] : [other],
      isListed ? 2 : 1,
    ])
    const given = [mine.b2_url, mine.screen_url, mine.thumbnail_url, (await reported())!.report.photo.thumbnail_url]
    const statuses = given.map(
      async (url) => url && (await server.request({ method: 'GET', url: pathOf(url) })).statusCode,
    )
    expect([state, await Promise.all(statuses)]).toEqual([
      state,
      isListed ? [200, 200, 200, 200] : [null, null, null, 200],
    ])
    expect([state, await archive()]).toEqual([state, states.indexOf(state) < 4])
    const emails = await query<{ state: string }>('select state from emails where recipient = $1', [guest])
    // Requested before the photo was hidden, and composed afterwards: the email is not sent.
    const wasShown = state === states[0] || whileShown.includes(states[states.indexOf(state) - 1] ?? state)
    expect([state, asked, emails.map((email) => email.state)]).toEqual([
      state,
      [wasShown ? 200 : 404, isShown ? 200 : 404],
      isShown ? ['sent'] : wasShown ? ['failed'] : [],
    ])
  }
  expect(wrong).toEqual([])
})

test.each(['owner', 'operator'] as const)(
  'a download under way ends within 5 s of its %s hiding the photo',
  async (who) => {
    const { owner, id, decide } = await makePhoto()
    const { b2_url: url } = await photoOf(owner, id)
    const [photo] = await query<{ full_key: string }>('select full_key from photos where id = $1', [id])
    // More than all buffers on the way can take.
    const bytes = 64 * 1024 * 1024
    await truncate(storedFilePath(server, photo!.full_key), bytes)
    await query('update photos set full_bytes = $2 where id = $1', [id, bytes])
    server.app.deps.mediaCache.invalidatePhoto(id)
    const paused = request((await server.listen()) + pathOf(url), { headers: { host: 'photos.test' } })
    paused.on('error', () => {}).end()
    const [answer] = await once(paused, 'response')
    expect(answer.headers['content-length']).toBe(String(bytes))
    const ended = once(answer, 'error')
    await (who === 'owner' ? setHidden(owner, id, true) : decide('hide'))
    const began = performance.now()
    let read = 0
    answer.on('data', (chunk: Buffer) => (read += chunk.length))
    await ended
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(read).toBeLessThan(bytes)
  },
)
