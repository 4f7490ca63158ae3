import { expect, test } from 'vitest'
import { createLog } from './log.ts'

function logged(error: unknown): string {
  let text = ''
  createLog('info', { write: (line) => (text += line) }).warn({ err: error }, 'it broke')
  return text
}

test('logs the message, stack, code and cause of an error, and no other fields', () => {
  const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(ann@example.com)' })
  const text = logged(Object.assign(new Error('not saved', { cause }), { client: { password: 'pw-canary' } }))
  expect(JSON.parse(text)).toMatchObject({
    msg: 'it broke',
    err: { message: 'not saved', cause: { message: 'duplicate key', code: '23505' } },
  })
  expect(text).not.toMatch(/ann@example\.com|pw-canary/)
})
