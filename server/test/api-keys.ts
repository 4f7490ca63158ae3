import type { ApiKey } from '@keepsnap/contract/api-keys.ts'
import { grantPlan, makeUser, multipartForm, type TestUser } from './test-data.ts'
import type { TestServer } from './harness.ts'

/** Creates an API key of a user whose plan includes them; the answer, with the whole key. */
export async function createKey(
  server: TestServer,
  user: TestUser,
  body: { name?: string; expires_in_days?: number } = {},
): Promise<ApiKey> {
  const answer = await server.request({
    method: 'POST',
    url: '/api/keys',
    token: user.token,
    body: { name: 'Booth', ...body },
  })
  if (answer.statusCode !== 201) throw new Error(`creating a key answered ${answer.statusCode}: ${answer.body}`)
  return answer.json<ApiKey>()
}

/** A user with Pro Yearly. */
export async function makeApiUser(server: TestServer): Promise<TestUser> {
  const user = await makeUser(server)
  await grantPlan(server, user, 'pro_yearly')
  return user
}

/** A user with Pro Yearly, and a key. */
export async function makeUserWithKey(server: TestServer): Promise<{ user: TestUser; key: string; keyId: string }> {
  const user = await makeApiUser(server)
  const { key, id } = await createKey(server, user)
  return { user, key, keyId: id }
}

/** A GET with a key; the whole answer. */
export const getByKey = (server: TestServer, key: string, url: string) =>
  server.request({ method: 'GET', url, headers: { 'x-api-key': key } })

/** An upload with a key; the whole answer. */
export const uploadByKey = (
  server: TestServer,
  key: string,
  file: Buffer,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
) => {
  const form = multipartForm(file)
  return server.request({
    method: 'POST',
    url: `/api/upload${query}`,
    body: form.body,
    headers: { ...form.headers, 'api-key': key, ...headers },
  })
}
