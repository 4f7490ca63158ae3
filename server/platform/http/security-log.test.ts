import { afterAll, expect, test } from 'vitest'
import { createAdminKey } from '../../features/operators/admin-keys.ts'
import {
  callOperator,
  createKey,
  getByKey,
  makeApiUser,
  makeOperator,
  registerUser,
  signInRequest,
  validPassword,
} from '../../test/test-data.ts'
import { newClientAddress, startServer, useServer } from '../../test/harness.ts'
import { newestSecret } from '../../test/outbox.ts'
import { createSecurityLog, type SecurityEventName, securityEvents, securityFields } from './security-log.ts'

interface Line extends Record<string, unknown> {
  event: SecurityEventName
}
let text = ''
const out = { write: (line: string) => (text += line) }
const server = useServer({ LOG_LEVEL: 'info' }, { out })
const other: Awaited<ReturnType<typeof startServer>>[] = []
afterAll(() => Promise.all(other.map((node) => node.close())))

const linesOf = (event?: SecurityEventName): Line[] =>
  text
    .split('\n')
    .filter((line) => line.includes('"event":'))
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => event === undefined || line.event === event)

test('there is a line for each event, with exactly the fields of the reference, without secrets and addresses', async () => {
  const user = await registerUser(server)
  const secrets = [user.email, user.token, validPassword, 'Wrong.Horse.9', 'Another.Horse.7']
  const from = newClientAddress()
  const send = (request: Parameters<typeof server.request>[0]) => server.request({ from, ...request })
  expect((await send(signInRequest(user.email, 'Wrong.Horse.9'))).statusCode).toBe(401)
  expect((await send(signInRequest(` ${user.email.toUpperCase()}`))).statusCode).toBe(200)
  await send({ method: 'POST', url: '/request-password-reset', body: { email: user.email } })
  await server.work()
  const token = await newestSecret(server, user.email, '/reset-password?token=')
  await send({ method: 'POST', url: '/reset-password', body: { token, new_password: 'Another.Horse.7' } })
  const owner = await makeApiUser(server)
  const { key, id } = await createKey(server, owner)
  expect((await getByKey(server, key, '/api/photos')).statusCode).toBe(200)
  // Once, although it is asked twice.
  for (let at = 0; at < 2; at += 1)
    expect((await send({ method: 'GET', url: '/api/operator/overview', token: owner.token })).statusCode).toBe(404)
  expect((await send({ method: 'GET', url: '/user/me', token: 'wrong' })).statusCode).toBe(401)
  for (let at = 0; at < 12; at += 1) await send(signInRequest('nobody@example.com'))
  const operator = await makeOperator(server)
  await callOperator(server, operator, `users/${user.id}/deactivate`, { reason: 'A complaint' })

  const common = ['level', 'time', 'reqId', 'msg', 'event']
  for (const line of linesOf())
    expect([line.event, Object.keys(line).toSorted()]).toEqual([
      line.event,
      [...common, ...securityEvents[line.event].fields].toSorted(),
    ])
  expect(new Set(linesOf().map(({ event }) => event))).toEqual(new Set(Object.keys(securityEvents)))
  expect(Object.keys(securityFields).toSorted()).toEqual(
    [...new Set([...common, ...Object.values(securityEvents).flatMap(({ fields }) => fields)])].toSorted(),
  )
  for (const secret of [...secrets, token, key, owner.token, operator.token, operator.email, from])
    expect(text).not.toContain(secret)

  const [failed] = linesOf('sign_in_failed')
  const [signedIn] = linesOf('sign_in')
  expect(failed).toMatchObject({ code: 'unauthorized', address: signedIn!.address, email: signedIn!.email })
  expect(linesOf('password_reset')).toMatchObject([{ account: user.id, address: signedIn!.address }])
  expect(linesOf('key_new_network')).toMatchObject([{ account: owner.id, key: id }])
  expect(linesOf('authorization_refused').map(({ route, code }) => [route, code])).toEqual([
    ['GET /api/operator/overview', 'not_found'],
    ['GET /user/me', 'unauthorized'],
  ])
  expect(linesOf('limit_hit').map(({ limit }) => limit)).toContain('auth')
  expect(linesOf('limit_hit').filter(({ limit }) => limit === 'auth')).toHaveLength(1)
  expect(linesOf('operator_act')).toMatchObject([
    { account: operator.id, route: 'POST /api/operator/users/:user_id/deactivate', status: 200 },
  ])
})

test('a key is recorded once for each network that it is used from, over all nodes; an admin key too', async () => {
  const { key, id } = await createKey(server, await makeApiUser(server))
  const second = await startServer({ LOG_LEVEL: 'info' }, { database: server.database, out })
  other.push(second)
  const admin = await createAdminKey(server.db, 'Backups')
  const use = async (from: string, node = server, apiKey = key): Promise<void> => {
    const url = apiKey === key ? '/api/photos' : '/api/admin/stats'
    const answer = await node.request({ method: 'GET', url, from, headers: { 'x-api-key': apiKey } })
    expect(answer.statusCode).toBe(200)
  }
  const lines = (keyId: string) => linesOf('key_new_network').filter((line) => line['key'] === keyId)
  for (const from of ['198.51.100.1', '198.51.100.9', '64:ff9b::198.51.100.7']) await use(from)
  expect(lines(id)).toHaveLength(1)
  for (const from of ['198.51.100.20', '2001:db8:1:2::3', '2001:db8:1:ffff::3']) await use(from, second)
  expect(lines(id)).toHaveLength(2)
  await use('2001:db8:1:9::1')
  expect(new Set(lines(id).map(({ network }) => network)).size).toBe(2)
  for (const from of ['198.51.100.1', '198.51.100.2']) await use(from, server, admin!.key)
  expect(lines(admin!.id)).toMatchObject([{ account: null }])
})

test('with LOG_ADDRESSES=1 addresses are written as they are, but not what is none', () => {
  const written: object[] = []
  const log = { info: (line: object) => written.push(line) } as unknown as Parameters<typeof createSecurityLog>[0]
  const security = createSecurityLog(log, { key: Buffer.alloc(32), showAddresses: true })
  const source = { id: 'r1', ip: '2001:db8:5:6:7::8' }
  for (const email of ['Ann@Example.com', 'My.Password.7']) security.record('sign_in', source, { email })
  security.record('key_new_network', source, { account: null, key: 'k1' })
  expect(written).toEqual([
    { reqId: 'r1', event: 'sign_in', address: source.ip, email: 'ann@example.com' },
    { reqId: 'r1', event: 'sign_in', address: source.ip, email: expect.stringMatching(/^[\w-]{22}$/) },
    { reqId: 'r1', event: 'key_new_network', address: source.ip, network: '2001:db8:5::/48', account: null, key: 'k1' },
  ])
})
