import type { IntegrityState } from '@keepsnap/contract/operator-integrity.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../test/harness.ts'
import { makeUser, type TestUser } from '../../test/test-data.ts'

let server: TestServer
let operator: TestUser
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
  operator = await makeUser(server)
  await server.db.updateTable('users').set({ is_admin: true }).where('id', '=', operator.id).execute()
})
afterAll(() => server.close())

const call = (method: 'GET' | 'POST') =>
  server.request({ method, url: '/api/operator/integrity', token: operator.token })
const state = async (): Promise<IntegrityState> => (await call('GET')).json<IntegrityState>()

test('a check is started once, runs as a job, and its result is shown', async () => {
  expect(await state()).toEqual({ running: false, check: null })
  const answers = await Promise.all([call('POST'), call('POST'), call('POST')])
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  expect((await state()).running).toBe(true)
  await server.work()
  expect(await state()).toEqual({
    running: false,
    check: {
      checked_at: expect.stringMatching(/Z$/),
      by: 'operator',
      seconds: expect.any(Number),
      objects: 0,
      compared: 0,
      without_checksum: 0,
      removed: 0,
      findings: [],
    },
  })
  expect((await call('POST')).statusCode).toBe(200)
})
