import { hashOf } from '../lib/ids.ts'
import type { TestServer } from './harness.ts'
import { makeUser, type TestUser } from './test-data.ts'

/** A signed-in admin who has just entered the password, unless `isConfirmed` is false. */
export async function makeOperator(
  server: Pick<TestServer, 'app' | 'db'>,
  { isConfirmed = true } = {},
): Promise<TestUser> {
  const operator = await makeUser(server)
  const { pool } = server.app.deps
  await pool.query('update users set is_admin = true where id = $1', [operator.id])
  if (isConfirmed)
    await pool.query('insert into operator_confirmations (session_hash) values ($1)', [hashOf(operator.token)])
  return operator
}

/** Calls the API of operators. */
export const callOperator = (
  server: Pick<TestServer, 'request'>,
  operator: TestUser,
  path: string,
  body?: Record<string, unknown>,
) =>
  server.request({
    method: body ? 'POST' : 'GET',
    url: `/api/operator/${path}`,
    token: operator.token,
    ...(body && { body }),
  })

/** What the audit log has about these subjects, the oldest first. */
export async function auditOf(server: Pick<TestServer, 'app'>, subjectId: string): Promise<object[]> {
  const { rows } = await server.app.deps.pool.query<object>(
    `select actor_kind, action, reason, outcome, detail from audit_log where subject_id = $1 order by at, id`,
    [subjectId],
  )
  return rows
}
