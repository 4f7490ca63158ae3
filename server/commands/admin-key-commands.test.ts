import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminLimits } from '@keepsnap/contract/limits.ts'
import { startServer, type TestServer } from '../test/harness.ts'
import { adminKeyCommands } from './admin-key-commands.ts'
import { UsageError } from './command.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ LOG_LEVEL: 'silent' })
})
afterAll(() => server.close())

const run = async (name: string, ...args: string[]): Promise<string> => {
  const command = adminKeyCommands[name]
  if (!command) throw new Error(`there is no command ${name}`)
  const { config, log } = server.app.deps
  return command(args)({ config, log, db: server.db, confirm: async () => false })
}
const statusWith = async (key: string): Promise<number> =>
  (await server.request({ method: 'GET', url: '/api/admin/stats', headers: { 'x-api-key': key } })).statusCode

test('a key is created, shown once, listed without its secret, and revoked', async () => {
  expect(await run('list-admin-keys')).toBe('No admin keys. Create one with create-admin-key NAME.')
  const lines = (await run('create-admin-key', 'monthly', 'reports')).split('\n')
  const key = lines.at(-1) ?? ''
  expect(key).toMatch(/^ksadm_[0-9A-Za-z]{43,}$/)
  expect(await statusWith(key)).toBe(200)
  const { rows } = await server.app.deps.pool.query<{ row: string }>('select k::text as row from admin_keys k')
  expect(rows[0]?.row).not.toContain(key)
  const list = await run('list-admin-keys')
  expect(list).not.toContain(key)
  expect(list).toContain(`ksadm_...${key.slice(-4)}  monthly reports: created 20`)
  expect(list).not.toContain('last used never')
  const [id = ''] = list.split(' ')
  expect(lines[0]).toBe(`Created the admin key monthly reports with the ID ${id}.`)
  expect(await run('revoke-admin-key', id)).toBe('Revoked the admin key monthly reports. It no longer works.')
  expect(await statusWith(key)).toBe(401)
  expect(await run('revoke-admin-key', id)).toBe('The admin key monthly reports has already been revoked.')
  expect(await run('list-admin-keys')).toContain(', revoked 20')
})

test('making and revoking keys is in the audit log', async () => {
  const { rows } = await server.app.deps.pool.query<object>(
    `select actor_kind, actor_name, action from audit_log where actor_kind = 'command' order by at`,
  )
  expect(rows).toEqual([
    { actor_kind: 'command', actor_name: 'create-admin-key', action: 'create admin key monthly reports' },
    { actor_kind: 'command', actor_name: 'revoke-admin-key', action: 'revoke admin key monthly reports' },
  ])
})

test.each([
  ['create-admin-key', ' '],
  ['create-admin-key', 'two\nlines'],
  ['revoke-admin-key', '0'.repeat(22)],
])('%s %j is a wrong command line', async (name, ...args) => {
  await expect(run(name, ...args)).rejects.toThrow(UsageError)
})

test('there are at most 50 keys that are not revoked', async () => {
  await server.app.deps.pool.query(
    `insert into admin_keys (id, name, key_hash, last_four)
     select 'k' || i, 'n', decode(md5(i::text), 'hex'), 'abcd' from generate_series(1, $1) as i`,
    [adminLimits.keysMax - 1],
  )
  const both = await Promise.allSettled([run('create-admin-key', 'one'), run('create-admin-key', 'two')])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(run('create-admin-key', 'more')).rejects.toThrow('there are 50 admin keys already')
})
