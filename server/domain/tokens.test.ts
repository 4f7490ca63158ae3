import { expect, test } from 'vitest'
import { createTokens } from './tokens.ts'
import { singleKey } from '../lib/secret-keys.ts'

const tokens = createTokens(singleKey('a secret key of the tests'))
const mailbox = 'ann@example.com'

test('tokens never change: links in emails that were sent before keep working', () => {
  expect(tokens.grant('request-1')).toBe('1eK4E9uXMcxH68RizJJGprC2Hh-CbwJvqFpDHXJE_yo')
  expect(tokens.account('reset', 'link-1')).toBe('IGPx3yb62GH0KGdI3SE6B-BOKVuuTZHIBS-iJRNTEKg')
  expect(tokens.account('verify', 'link-1')).toBe('DCHwwnxckv8ZCPx-qKqCaGxBj0vNxMOaZ-x1ur1p3dU')
  expect(tokens.account('archive', 'link-1')).toBe('50JrpDRzZw64XN9WIZYLwmP4pJM8Z6uhEHIfk3gWcxQ')
  expect(tokens.unsubscribe(mailbox)).toBe('rDxnyyZCY9RDFv4M37BvOezlHZX6ND2ATg3CtMGV-B2k')
  expect(tokens.mailboxHashes(mailbox)[0]?.toString('hex')).toBe(
    '8ee5bfacfeebd4dd1ecf278e1b990fb7edf83219e2cf18859f46bd831b3347f2',
  )
})

test('an unsubscribe token identifies the mailbox it was issued for, and other tokens identify none', () => {
  const token = tokens.unsubscribe(mailbox)
  expect(tokens.mailboxHashFromToken(token)).toEqual(tokens.mailboxHashes(mailbox)[0])
  const other = tokens.unsubscribe('ben@example.com')
  const foreign = createTokens(singleKey('another secret key of the tests')).unsubscribe(mailbox)
  for (const invalid of ['', 'x', token.slice(1), `${token}A`, token.slice(0, 22) + other.slice(22), foreign])
    expect(tokens.mailboxHashFromToken(invalid)).toBeUndefined()
})

test('a client’s pseudonym contains no part of its address and differs between clients', () => {
  const pseudonym = tokens.clientPseudonym('203.0.113.7')
  expect(pseudonym).toMatch(/^[\w-]{22}$/)
  expect(tokens.clientPseudonym('203.0.113.7')).toBe(pseudonym)
  expect(tokens.clientPseudonym('203.0.113.8')).not.toBe(pseudonym)
})
