import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import type { listReview } from '@keepsnap/contract/event-photos.ts'
import type { Insights } from '@keepsnap/contract/insights.ts'
import type { listEvents } from '@keepsnap/contract/events.ts'
import { readConfig } from '../config.ts'
import { cheapHashing, startServer, type TestServer, useServer } from '../test/harness.ts'
import { makeUser, registerUser, signInRequest, type TestUser } from '../test/test-data.ts'
import { StartupError } from '../faults.ts'
import { people, type PersonName, personNames } from './demo-accounts.ts'
import { planPhotos } from './demo-photos.ts'
import { fillInstance, refusePublicSite } from './demo.ts'

let printed: string
const said: string[] = []
const connected: unknown[] = []

let guest: TestUser | undefined
/** While the instance is filled, somebody registers at the running server and gets a count of uploads. */
async function meanwhile(to: TestServer): Promise<void> {
  if (guest) return
  guest = await registerUser(to, 'guest@meanwhile.example')
  await to.app.deps.pool.query(
    "insert into usage_months (user_id, month, uploads) values ($1, date_trunc('month', now() at time zone 'utc')::date, 7)",
    [guest.id],
  )
}

const fill = (to: TestServer, signal = new AbortController().signal): Promise<string> => {
  const { http } = to.app
  if (!http) throw new Error('this node does not serve HTTP')
  return fillInstance({
    deps: to.app.deps,
    http,
    publicUrl: to.publicUrl,
    waitUntilProcessed: async () => {
      await meanwhile(to)
      await to.work()
    },
    signal,
    reportProgress: (text) => said.push(text),
    size: { photosPerEvening: 2, longSide: 400 },
    passwordHashing: cheapHashing,
  })
}

const server = useServer()
beforeAll(async () => {
  const { Socket } = await import('node:net')
  const connect = vi.spyOn(Socket.prototype, 'connect')
  printed = await fill(server)
  // The target of each connection, except the test database, which listens on a Unix socket (a path).
  const targets = connect.mock.calls.map(([target]) => target as unknown)
  connected.push(...targets.filter((target) => !String(target).startsWith('/')))
  connect.mockRestore()
  await server.work()
})

const rowsOf = async (query: string): Promise<Record<string, unknown>[]> =>
  (await server.app.deps.pool.query<Record<string, unknown>>(query)).rows

/** Signs in with what was printed. */
async function signIn(name: PersonName) {
  const line = printed.split('\n').find((text) => text.includes(people[name].email)) ?? ''
  const [username = '', password = ''] = line.trim().split(/\s+/)
  return server.request(signInRequest(username, password))
}
async function readAs(name: PersonName, url: string): Promise<unknown> {
  const { access_token: token } = (await signIn(name)).json<{ access_token: string }>()
  const answer = await server.request({ method: 'GET', url, token })
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

test('all photos differ; neighbours show other scenes, and no picture comes again among the next nine photos', () => {
  const planned = planPhotos(new Date())
  expect(planned).toHaveLength(74)
  expect(new Set(planned.map(({ owner, filename }) => `${owner} ${filename}`)).size).toBe(74)
  expect(new Set(planned.map(({ picture, variation }) => picture + JSON.stringify(variation))).size).toBe(74)
  for (const name of personNames) {
    const pictures = planned
      .filter(({ owner }) => owner === name)
      .toSorted((one, other) => one.takenAt.getTime() - other.takenAt.getTime())
      .map(({ picture }) => picture)
    const scenes = pictures.map((picture) => picture.split('-')[1])
    for (const n of pictures.keys()) {
      expect(pictures.slice(n + 1, n + 10)).not.toContain(pictures[n])
      expect(scenes.slice(n + 1, n + 4)).not.toContain(scenes[n])
    }
  }
})

test('the printed passwords work, except for the deactivated account; nobody is an admin', async () => {
  for (const name of personNames) expect((await signIn(name)).statusCode).toBe(name === 'closed' ? 401 : 200)
  expect(await rowsOf('select 1 from users where is_admin')).toEqual([])
  expect(await rowsOf(`select 1 from users where email not like '%.example'`)).toEqual([])
})

test('every list of the studio has entries', async () => {
  const photos = (await readAs('studio', '/photos')) as { processing_complete: boolean; processing_failed: boolean }[] // as the contract says
  expect(photos.filter((photo) => photo.processing_complete)).toHaveLength(10)
  expect(photos.filter((photo) => photo.processing_failed)).toHaveLength(1)
  // The newest photo is on the big screen.
  expect(photos[0]).toMatchObject({ processing_complete: true })
  expect(
    await rowsOf(`select 1 from photos where state = 'failed' and (id in (select photo_id from photo_reports)
      or id in (select photo_id from photo_requests) or id in (select photo_id from photo_activity))`),
  ).toEqual([])
  for (const url of ['/api/keys', '/subscriptions/invoices']) expect(await readAs('studio', url)).not.toHaveLength(0)
  expect(await readAs('studio', '/user/reports')).toMatchObject({
    reports: expect.arrayContaining([expect.objectContaining({ open: true })]),
  })
  expect(await rowsOf('select distinct state from support_messages order by state')).toEqual([
    { state: 'answered' },
    { state: 'open' },
  ])
  expect(await readAs('studio', '/user/photo-requests')).toMatchObject({
    requests: expect.arrayContaining([expect.anything()]),
  })
  const [webhook] = (await readAs('studio', '/api/webhooks')) as { id: string }[] // as the contract says
  expect(await readAs('studio', `/api/webhooks/${webhook?.id}/deliveries`)).toMatchObject({
    deliveries: expect.arrayContaining([expect.objectContaining({ state: 'delivered' })]),
  })
  expect(await readAs('studio', '/user/me')).toMatchObject({
    logo_url: expect.any(String),
    use_logo_as_watermark: true,
  })
})

test('the studio has three events with photos of their evenings, and nobody else has one', async () => {
  const { events } = (await readAs('studio', '/user/events')) as Reply<typeof listEvents> // as the contract says
  expect(events.map(({ name, state, is_current, photo_count }) => [name, state, is_current, photo_count])).toEqual([
    ['Winter ball', 'coming', false, 0],
    ['Harvest party', 'on_now', true, 2],
    ['Lotte & Bram', 'closed', false, 2],
  ])
  expect(await rowsOf('select count(distinct user_id)::int as owners from events')).toEqual([{ owners: 1 }])
  for (const { id, starts_on: from } of events.slice(1)) {
    const { event_hours: hours = [] } = (await readAs(
      'studio',
      `/user/insights?event=${id}&from=${from}&tz=Europe/Brussels`,
    )) as Insights // as the contract says
    expect([id, hours.filter((hour) => hour.event_scans > 0 && hour.photos > 0)]).not.toEqual([id, []])
  }
  const { photos } = (await readAs('studio', `/user/events/${events[1]!.id}/review`)) as Reply<typeof listReview> // as the contract says
  expect(photos.map(({ contributor }) => contributor?.name ?? '').toSorted((a, b) => a.localeCompare(b))).toEqual(
    ['Aunt Ann', 'Jonas', 'Sofie and Tim'].flatMap((name) => [name, name]),
  )
})

test('insights have weeks of scans, views, downloads and requests', async () => {
  const { totals, days } = (await readAs('studio', '/user/insights')) as {
    totals: Record<string, number>
    days: { scans: number }[]
  } // as the contract says
  expect(Object.values(totals).every((count) => count > 5)).toBe(true)
  expect(days.filter(({ scans }) => scans > 0).length).toBeGreaterThan(4)
})

test('an account registered during the fill keeps its session, uploads and emails', async () => {
  expect((await server.request({ method: 'GET', url: '/user/me', token: guest!.token })).statusCode).toBe(200)
  expect(await rowsOf(`select uploads from usage_months where user_id = '${guest!.id}'`)).toEqual([{ uploads: 7 }])
  expect(await rowsOf(`select kind from emails where user_id = '${guest!.id}'`)).toEqual([{ kind: 'verify' }])
})

test('each account has its plan and usage', async () => {
  expect(await readAs('studio', '/subscriptions/status')).toMatchObject({
    plan: { id: 'pro_yearly' },
    subscription: { status: 'active' },
  })
  expect(await readAs('photographer', '/subscriptions/status')).toMatchObject({ plan: { id: 'pro_monthly' } })
  expect(await readAs('photographer', '/subscriptions/invoices')).toHaveLength(6)
  expect(await readAs('host', '/subscriptions/status')).toMatchObject({
    plan: { id: 'free' },
    current_usage: { photos_uploaded: 2 },
  })
  expect(await readAs('newcomer', '/photos')).toEqual([])
})

describe('nothing leaves the machine', () => {
  test('no email was sent, no queued one will be, and no connection was opened', async () => {
    const queued = await rowsOf(`select recipient from emails where state = 'queued' or kind <> 'photo'`)
    expect(queued.every(({ recipient }) => String(recipient).endsWith('.example'))).toBe(true)
    // Signing in above queued those about new browsers.
    await rowsOf(`delete from emails where kind = 'new-sign-in'`)
    expect(await rowsOf(`select 1 from emails where kind <> 'photo' and user_id <> '${guest!.id}'`)).toEqual([])
    expect(await rowsOf(`select 1 from graphile_worker.jobs join emails on key = 'email:' || emails.id`)).toEqual([])
    expect(connected).toEqual([])
  })

  test('a queued email fails when it is due', async () => {
    await server.app.deps.pool.query(`update emails set due_at = now() - interval '3 minutes' where state = 'queued'`)
    const { cleanUpEmails } = await import('../features/emails/stored-emails.ts')
    await cleanUpEmails(server.app.deps)
    await server.work()
    expect(await rowsOf(`select distinct state, failure from emails where failure like 'Nothing is sent%'`)).toEqual([
      { state: 'failed', failure: 'Nothing is sent to addresses that end in .example: they exist only in examples.' },
    ])
    expect(await rowsOf(`select 1 from emails where state = 'queued'`)).toEqual([])
  })
})

describe('demo is refused', () => {
  test('for an instance that it has filled before', async () => {
    await expect(fill(server)).rejects.toThrow(/filled by demo before.*delete the data folder/)
  })
  test('for an instance with other accounts, which stay unchanged', async () => {
    const other = await startServer()
    try {
      await makeUser(other)
      await expect(fill(other)).rejects.toThrow('The database holds 1 account. demo fills only an empty instance')
      const { rows } = await other.app.deps.pool.query('select 1 from users')
      expect(rows).toHaveLength(1)
      await other.app.deps.pool.query('delete from users')
      const stop = new AbortController()
      stop.abort(new StartupError('stopped'))
      await expect(fill(other, stop.signal)).rejects.toThrow('stopped')
    } finally {
      await other.close()
    }
  })
  test.each([
    [{ PUBLIC_URL: 'https://photos.example.com', PAYMENTS: 'demo' }, 'PUBLIC_URL is https://photos.example.com'],
    [{ PUBLIC_URL: 'http://10.0.0.4:3000', PAYMENTS: 'off' }, 'demo needs demo payments'],
  ])('with the settings %j', (env, message) => {
    const config = readConfig(env, { lanAddress: undefined, cwd: '/nowhere' })
    expect(() => refusePublicSite(config)).toThrow(message)
    expect(() => refusePublicSite(config)).toThrow(StartupError)
  })
  test('but not with the default settings on a local machine', () => {
    expect(() => refusePublicSite(readConfig({}, { lanAddress: undefined, cwd: '/nowhere' }))).not.toThrow()
  })
})
