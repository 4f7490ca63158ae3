import { expect, test } from 'vitest'
import { createLog } from '../process/log.ts'
import { connect, isCallerForeignKeyViolation, isDatabaseDown, isViolation } from './connect.ts'

test('a connection is waited for during 5 s and a statement during 15 s, unless the options have other times; a host that disappears is noticed', async () => {
  const limits = { connectionTimeoutMillis: 5_000, statement_timeout: 15_000 }
  const others = { connectionTimeoutMillis: 1, statement_timeout: 2 }
  for (const [given, expected] of [
    [{}, limits],
    [others, others],
  ] as const) {
    const { pool, close } = connect(given, createLog('silent'))
    expect(pool.options).toMatchObject({ ...expected, keepAlive: true, keepAliveInitialDelayMillis: 10_000 })
    await close()
  }
})

const databaseError = (fields: object, message = 'failed') => Object.assign(new Error(message), fields)

test.each([
  ['a refused connection', databaseError({ code: 'ECONNREFUSED', syscall: 'connect' })],
  ['a shutdown of PostgreSQL', databaseError({ code: '57P01', severity: 'FATAL' })],
  ['too many connections', databaseError({ code: '53300', severity: 'FATAL' })],
  ['a full disk', databaseError({ code: '53100', severity: 'ERROR' })],
  ['a database that takes no writes', databaseError({ code: '25006', severity: 'ERROR' })],
  ['a deadlock', databaseError({ code: '40P01', severity: 'ERROR' })],
  ['a connection that breaks', databaseError({}, 'Connection terminated unexpectedly')],
  ['no free connection', databaseError({}, 'timeout exceeded when trying to connect')],
])('%s means that the database is down', (_, reason) => {
  expect(isDatabaseDown(reason)).toBe(true)
})

test.each([
  ['a wrong query', databaseError({ code: '42601', severity: 'ERROR' })],
  ['a violated constraint', databaseError({ code: '23505', severity: 'ERROR' })],
  ['an error of the program with such a code', databaseError({ code: '57P01' })],
  ['something that is not an error', 'Connection terminated'],
])('%s does not mean that the database is down', (_, reason) => {
  expect(isDatabaseDown(reason)).toBe(false)
})

test('a violation is recognized by its kind', () => {
  expect(isViolation(databaseError({ code: '23505' }), 'unique')).toBe(true)
  expect(isViolation(databaseError({ code: '23503' }), 'unique')).toBe(false)
  expect(isViolation(databaseError({ code: '23503' }), 'foreign key')).toBe(true)
})

test('only foreign keys to accounts and sessions are those of the caller', () => {
  const violation = (constraint: string) => databaseError({ code: '23503', constraint })
  expect(isCallerForeignKeyViolation(violation('photos_user_id_fkey'))).toBe(true)
  expect(isCallerForeignKeyViolation(violation('ws_tickets_session_hash_fkey'))).toBe(true)
  expect(isCallerForeignKeyViolation(violation('grants_photo_id_fkey'))).toBe(false)
  expect(isCallerForeignKeyViolation(databaseError({ code: '23505', constraint: 'photos_user_id_fkey' }))).toBe(false)
})
