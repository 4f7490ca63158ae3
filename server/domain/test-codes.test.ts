import { expect, test } from 'vitest'
import { newId } from '../lib/ids.ts'
import { createTestCodes } from './tokens.ts'
import { singleKey } from '../lib/secret-keys.ts'

const codes = createTestCodes(singleKey('a secret key of the tests'))

test('a token contains owner and expiry; altered and foreign tokens are rejected', () => {
  const userId = newId()
  const token = codes.token(userId, 1_800_000_000)
  expect(codes.read(token)).toEqual({ userId, expiresAt: 1_800_000_000 })
  const foreign = createTestCodes(singleKey('another secret key')).token(userId, 1_800_000_000)
  for (const invalid of ['', 'x', `${token}A`, token.replace('.18', '.19'), token.replace(userId, newId()), foreign])
    expect(codes.read(invalid)).toBeUndefined()
})
