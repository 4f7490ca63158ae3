import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { createKey, makeUserWithKey, uploadByKey } from '../../test/api-keys.ts'
import { expectConsistent, runOverdueWork } from '../../test/consistency-check.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { grantPlan, makeUser, upload, uploadInHalves, type TestUser } from '../../test/test-data.ts'
import { photoActions, photoFile } from './test/photo-actions.ts'

let server: TestServer
let address: string
beforeAll(async () => {
  server = await startServer()
  address = await server.listen()
})
afterAll(() => server.close())

const { get, uploadsThisMonth, photoRowsOf } = photoActions(() => server)

describe('uploads by the page and by key are the same', () => {
  test('photo, count of the month and Idempotency-Key', async () => {
    const { user, key } = await makeUserWithKey(server)
    const headers = { 'idempotency-key': 'file 1' }
    const byKey = await uploadByKey(server, key, photoFile, { headers })
    expect([byKey.statusCode, byKey.json<Photo>().processing]).toEqual([201, true])
    const byPage = await upload(server, user, photoFile, { headers })
    expect([byPage.statusCode, byPage.json<Photo>().id]).toEqual([201, byKey.json<Photo>().id])
    expect((await uploadByKey(server, key, photoFile, { headers })).json<Photo>().id).toBe(byKey.json<Photo>().id)
    expect(await uploadsThisMonth(user)).toBe(1)
    await server.work()
    const [photo] = (await get(user, '/photos')).json<Photo[]>()
    expect(photo).toMatchObject({ id: byKey.json<Photo>().id, filename: 'photo.jpg', processing_complete: true })
  })

  test('limits: the photos of the month, the kind of file, the field and the query', async () => {
    const { user, key } = await makeUserWithKey(server)
    const text = await uploadByKey(server, key, Buffer.from('not an image'))
    expect([text.statusCode, text.json<{ code: string }>().code]).toEqual([415, 'not_an_image'])
    for (const query of ['?wait=31', '?wait=-1', '?wait=x', '?selection=a'])
      expect([query, (await uploadByKey(server, key, photoFile, { query })).statusCode]).toEqual([query, 422])
    const pool = server.app.deps.pool
    await pool.query(
      `insert into usage_months (user_id, month, uploads) values ($1, date_trunc('month', now() at time zone 'utc'), 1000)
       on conflict (user_id, month) do update set uploads = 1000`,
      [user.id],
    )
    const full = await uploadByKey(server, key, photoFile)
    expect([full.statusCode, full.json<{ code: string }>().code]).toEqual([403, 'quota_photos'])
    expect(await photoRowsOf(user)).toEqual([])
    await pool.query('delete from usage_months where user_id = $1', [user.id])
  })
})

describe('an upload by key is refused and leaves nothing when meanwhile', () => {
  const wrongKey = [401, { code: 'unauthorized', detail: 'Invalid or missing API key' }]
  const noAccess = [403, { code: 'forbidden', detail: 'API access not available with your current subscription' }]
  const endings: [string, (user: TestUser, keyId: string) => Promise<unknown>, unknown[]][] = [
    [
      'the key is deleted',
      (user, id) => server.request({ method: 'DELETE', url: `/api/keys/${id}`, token: user.token }),
      wrongKey,
    ],
    [
      'the key expires',
      (_, id) => server.app.deps.pool.query('update api_keys set expires_at = now() where id = $1', [id]),
      wrongKey,
    ],
    ['the plan loses API access', (user) => grantPlan(server, user, 'pro_monthly'), noAccess],
    [
      'the account is deleted',
      (user) => server.app.deps.pool.query('delete from users where id = $1', [user.id]),
      wrongKey,
    ],
  ]

  test.each(endings)('%s', async (_, end, refusal) => {
    const user = await makeUser(server)
    await grantPlan(server, user, 'pro_yearly')
    const { key, id } = await createKey(server, user)
    const isReceiving = async (): Promise<boolean> =>
      (await photoRowsOf(user)).some((row: { state: string }) => row.state === 'receiving')
    const between = async (): Promise<void> => {
      await expect.poll(isReceiving, { interval: 10 }).toBe(true)
      await end(user, id)
    }
    const headers = { 'x-api-key': key, authorization: '' }
    const request = { url: '/api/upload', file: photoFile, between, headers }
    expect(await uploadInHalves(address, user, request)).toEqual(refusal)
    expect(await photoRowsOf(user)).toEqual([])
    await server.work()
    await runOverdueWork(server)
    await expectConsistent(server)
  })
})
