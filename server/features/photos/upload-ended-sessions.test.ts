import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { jpeg } from '../../images/test/sample-images.ts'
import { startServer, type TestServer } from '../../test/harness.ts'
import { validPassword, makeUser, upload, uploadInHalves, type TestUser } from '../../test/test-data.ts'
import { expectConsistent, runOverdueWork } from '../../test/consistency-check.ts'
import { changeAccount } from '../accounts/operator-changes.ts'

let server: TestServer
let address: string
const photo = await jpeg({ width: 480, height: 320 })
beforeAll(async () => {
  server = await startServer()
  address = await server.listen()
})
afterAll(() => server.close())

describe('an upload whose session ends meanwhile', () => {
  const endings: [string, (user: TestUser) => Promise<{ statusCode: number }>][] = [
    ['by signing out', (user) => server.request({ method: 'POST', url: '/logout', token: user.token })],
    [
      'by signing out everywhere',
      (user) => server.request({ method: 'DELETE', url: '/user/sessions', token: user.token }),
    ],
    [
      'by a new password',
      (user) => {
        const body = { current_password: validPassword, new_password: 'Better.Battery.7' }
        return server.request({ method: 'POST', url: '/user/password', token: user.token, body })
      },
    ],
    [
      'because the account is closed',
      async (user) => ({
        statusCode: Number((await changeAccount(server.db, user.email, { is_active: false })) !== undefined),
      }),
    ],
  ]
  const isReceiving = async ({ id }: TestUser): Promise<boolean> =>
    (await server.app.deps.pool.query("select 1 from photos where user_id = $1 and state = 'receiving'", [id]))
      .rowCount === 1

  test.each(endings)('%s is refused and leaves nothing', async (_, end) => {
    const user = await makeUser(server)
    const earlier = (await upload(server, user, photo)).json<Photo>().id
    const between = async (): Promise<void> => {
      await expect.poll(() => isReceiving(user), { interval: 10 }).toBe(true)
      expect((await end(user)).statusCode).toBeLessThan(300)
    }
    const url = '/photos/upload'
    expect(await uploadInHalves(address, user, { url, file: photo, between })).toEqual([
      401,
      { code: 'unauthorized', detail: 'Please sign in.' },
    ])
    const { pool } = server.app.deps
    expect((await pool.query('select id from photos where user_id = $1', [user.id])).rows).toEqual([{ id: earlier }])
    const month = await pool.query('select uploads from usage_months where user_id = $1', [user.id])
    expect(month.rows).toEqual([{ uploads: 1 }])
    await server.work()
    await runOverdueWork(server)
    await expectConsistent(server)
  })

  test('leaves its Idempotency-Key unused, and the key of an acknowledged upload stays in use', async () => {
    const user = await makeUser(server)
    const headers = { 'idempotency-key': 'an event' }
    const signIn = async (): Promise<TestUser> => {
      const body = new URLSearchParams({ username: user.email, password: validPassword }).toString()
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await server.request({ method: 'POST', url: '/token', headers: type, body })
      return { ...user, token: answer.json<{ access_token: string }>().access_token }
    }
    const between = async (): Promise<void> => {
      await expect.poll(() => isReceiving(user), { interval: 10 }).toBe(true)
      await server.request({ method: 'POST', url: '/logout', token: user.token })
    }
    const request = { url: '/photos/upload', file: photo, between, headers }
    expect((await uploadInHalves(address, user, request))[0]).toBe(401)
    const second = await signIn()
    const accepted = await upload(server, second, photo, { headers })
    expect(accepted.statusCode).toBe(201)
    await server.request({ method: 'POST', url: '/logout', token: second.token })
    const again = await upload(server, await signIn(), photo, { headers })
    expect([again.statusCode, again.json<Photo>().id]).toEqual([201, accepted.json<Photo>().id])
  })
})
