import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessOf, type Access, type Endpoint } from '@keepsnap/contract/endpoint.ts'
import { endpoints } from '@keepsnap/contract/endpoints.ts'
import { changeAccount } from '../../features/accounts/operator-changes.ts'
import { createAdminKey, revokeAdminKey } from '../../features/admin/admin-keys.ts'
import { newApiKey } from '../../lib/api-keys.ts'
import { createKey, makeUserWithKey } from '../api-keys.ts'
import { startServer, type TestServer } from '../harness.ts'
import { makeOperator } from '../operators.ts'
import { refusalOf } from '../refusals.ts'
import { grantPlan, makeUser } from '../test-data.ts'

let server: TestServer
/** What a call gets that has been let in, instead of its handler. */
const admitted = 299
type Answer = [status: number, body: unknown]

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const wrongKey: Answer = [401, { code: 'unauthorized', detail: 'Invalid or missing API key' }]
const noPlan: Answer = [403, { code: 'forbidden', detail: 'API access not available with your current subscription' }]

/** Who calls: the headers, and what they are good for. */
interface Caller {
  headers: Record<string, string>
  /** The kinds of access that the caller has by a session or a key. */
  kinds: Access[]
  /** What endpoints that accept keys answer to the key, when it is no good one. */
  keyRefusal?: Answer
}
let callers: Record<CallerName, Caller>
const callerNames = [
  'nobody',
  'a user',
  'another user',
  'a user who has signed out',
  'a user who is deactivated',
  'an operator',
  'an operator who is one no more',
  'a key',
  'the key of an operator',
  'a key whose plan has no API access',
  'a key that was deleted',
  'a key that has expired',
  'the key of a user who is deactivated',
  'a key that nobody has',
  'an admin key',
  'an admin key that was revoked',
  'a key as bearer token',
  'a session token as key',
  'two keys at once',
  'a user with a key that nobody has',
  'an operator with an admin key',
] as const
type CallerName = (typeof callerNames)[number]

/** Users and keys in every state. */
async function makeCallers(): Promise<Record<CallerName, Caller>> {
  const { db, app } = server
  const user = await makeUser(server)
  const [other, signedOut, former] = [await makeUser(server), await makeUser(server), await makeOperator(server)]
  await app.deps.pool.query('update users set is_admin = false where id = $1', [former.id])
  await server.request({ method: 'POST', url: '/logout', token: signedOut.token })
  const operator = await makeOperator(server)
  const [owner, downgraded, gone] = [
    await makeUserWithKey(server),
    await makeUserWithKey(server),
    await makeUserWithKey(server),
  ]
  const [deleted, expired] = [
    await createKey(server, owner.user),
    await createKey(server, owner.user, { expires_in_days: 1 }),
  ]
  await server.request({ method: 'DELETE', url: `/api/keys/${deleted.id}`, token: owner.user.token })
  await app.deps.pool.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [expired.id])
  await grantPlan(server, downgraded.user, 'pro_monthly')
  await changeAccount(db, gone.user.email, { is_active: false })
  await grantPlan(server, operator, 'pro_yearly')
  const operatorKey = await createKey(server, operator)
  const [admin, revoked] = [await createAdminKey(db, 'reports'), await createAdminKey(db, 'old')]
  await revokeAdminKey(db, revoked!.id)
  const byKey = (key: string) => ({ 'x-api-key': key })
  return {
    nobody: { headers: {}, kinds: [] },
    'a user': { headers: bearer(user.token), kinds: ['user'] },
    'another user': { headers: bearer(other.token), kinds: ['user'] },
    'a user who has signed out': { headers: bearer(signedOut.token), kinds: [] },
    'a user who is deactivated': { headers: bearer(gone.user.token), kinds: [] },
    'an operator': { headers: bearer(operator.token), kinds: ['user', 'operator'] },
    'an operator who is one no more': { headers: bearer(former.token), kinds: ['user'] },
    'a key': { headers: { 'api-key': owner.key }, kinds: ['key'] },
    'the key of an operator': { headers: byKey(operatorKey.key), kinds: ['key'] },
    'a key whose plan has no API access': { headers: byKey(downgraded.key), kinds: [], keyRefusal: noPlan },
    'a key that was deleted': { headers: byKey(deleted.key), kinds: [], keyRefusal: wrongKey },
    'a key that has expired': { headers: byKey(expired.key), kinds: [], keyRefusal: wrongKey },
    'the key of a user who is deactivated': { headers: byKey(gone.key), kinds: [], keyRefusal: wrongKey },
    'a key that nobody has': { headers: byKey(newApiKey('customer')), kinds: [], keyRefusal: wrongKey },
    'an admin key': { headers: { 'api-key': admin!.key }, kinds: ['admin'] },
    'an admin key that was revoked': { headers: byKey(revoked!.key), kinds: [], keyRefusal: wrongKey },
    'a key as bearer token': { headers: bearer(owner.key), kinds: [] },
    'a session token as key': { headers: byKey(user.token), kinds: [], keyRefusal: wrongKey },
    'two keys at once': {
      headers: { 'api-key': owner.key, 'x-api-key': operatorKey.key },
      kinds: [],
      keyRefusal: wrongKey,
    },
    'a user with a key that nobody has': {
      headers: { ...bearer(user.token), ...byKey(newApiKey('customer')) },
      kinds: ['user'],
      keyRefusal: wrongKey,
    },
    'an operator with an admin key': {
      headers: { ...bearer(operator.token), 'api-key': admin!.key },
      kinds: ['user', 'operator', 'admin'],
    },
  }
}

beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
  // A call that passes the checks of access and rate gets no further, so that it has no effect.
  let isOn = false
  server.app.http!.addHook('preParsing', async (_, reply) => {
    if (isOn) await reply.status(admitted).send()
  })
  callers = await makeCallers()
  isOn = true
})
afterAll(() => server.close())

/** What the contract says about a caller at an endpoint. */
function expectedAnswer(endpoint: Endpoint, { kinds, keyRefusal, headers }: Caller): Answer {
  const access = accessOf(endpoint)
  const acceptsKeys = access.includes('key') || access.includes('admin')
  if (access.includes('public')) return [admitted, '']
  // A key decides where keys are accepted, whatever session is beside it.
  const hasKey = 'api-key' in headers || 'x-api-key' in headers
  if (acceptsKeys && hasKey) {
    if (kinds.some((kind) => (kind === 'key' || kind === 'admin') && access.includes(kind))) return [admitted, '']
    // The plan counts where customers' keys are accepted.
    return keyRefusal === noPlan && access.includes('key') ? noPlan : wrongKey
  }
  return kinds.some((kind) => access.includes(kind)) ? [admitted, ''] : refusalOf(endpoint)
}

describe.each(callerNames)('%s', (name) => {
  test('is let in or refused by each endpoint as the contract says', async () => {
    const { pool } = server.app.deps
    const [answers, expected]: [unknown[], unknown[]] = [[], []]
    for (const [at, endpoint] of endpoints.entries()) {
      // The limits are tested elsewhere.
      if (at % 8 === 0) await pool.query('truncate rate_hits')
      const { method, path } = endpoint
      const url = path.replace(/:\w+/g, '0'.repeat(22))
      const answer = await server.request({ method, url, headers: callers[name].headers })
      const isEmpty = answer.body === ''
      answers.push([method, path, answer.statusCode, isEmpty ? '' : answer.json<unknown>()])
      expected.push([method, path, ...expectedAnswer(endpoint, callers[name])])
    }
    expect(answers).toEqual(expected)
  })
})

test('HEAD is refused as GET is', async () => {
  for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
    const url = endpoint.path.replace(/:\w+/g, '0'.repeat(22))
    const { statusCode, body } = await server.request({ method: 'HEAD', url })
    expect([endpoint.path, statusCode, body]).toEqual([endpoint.path, expectedAnswer(endpoint, callers.nobody)[0], ''])
  }
})
