import { describe, expect, test } from 'vitest'
import { classifyFailure, receiverAsksToWait, type SmtpError } from './smtp-failures.ts'

const reply = (response: string): SmtpError => ({
  code: 'EMESSAGE',
  response,
  responseCode: Number(response.slice(0, 3)),
})

describe('a reply about an email', () => {
  test.each([
    ['550 5.1.1 User unknown', 'This address does not exist.', false],
    ['552 5.2.2 Over quota', 'The mailbox is full.', true],
    ['552 5.3.4 Message too big', 'The email is too large for this mailbox.', true],
    ['554 5.7.1 Rejected as spam', 'The receiving server rejected the message.', false],
    ['550 unknown', 'The receiving server does not accept email for this address.', false],
    ['556 5.1.10 null MX', 'This domain does not accept email.', false],
    ['551 moved', 'This address has moved.', false],
    ['599 unknown', 'The receiving server rejected the message.', false],
  ])('%s refuses it for good: %s', (response, reason, tooLarge) => {
    expect(classifyFailure(reply(response), true)).toEqual({ kind: 'refused', reason, tooLarge })
  })

  test.each([
    ['450 4.2.0 <ann@guest.test>: Recipient address rejected: Greylisted', receiverAsksToWait],
    ['451 4.7.1 Greylisting in action', receiverAsksToWait],
    ['450 Greylisted', receiverAsksToWait],
    ['421 4.7.28 Too many emails from this address', receiverAsksToWait],
    ['450 busy', 'The mailbox is busy.'],
    ['452 4.2.2 over quota', 'The mailbox is full.'],
    ['499 unknown', 'The mail server asks to try again later.'],
    ['530 login first', 'The mail server requires authentication.'],
    ['503 bad order of commands', 'The receiving server rejected the message.'],
  ])('%s causes a retry: %s', (response, reason) => {
    expect(classifyFailure(reply(response), true)).toEqual({ kind: 'retry', unreachable: false, reason })
  })
})

test('a failure before the server has seen the email means that the server is unreachable', () => {
  const unreachable = { kind: 'retry', unreachable: true }
  expect(classifyFailure({ code: 'EDNS' }, false)).toEqual({
    ...unreachable,
    reason: 'The mail server could not be found.',
  })
  expect(classifyFailure({ code: 'ESOCKET', originalCode: 'ECONNREFUSED' }, false)).toEqual({
    ...unreachable,
    reason: 'The mail server could not be reached.',
  })
  expect(classifyFailure(reply('550 5.7.1 go away'), false)).toMatchObject(unreachable)
})

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The certificate of the mail server is not trusted.'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'The certificate of the mail server is not trusted.'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'The certificate of the mail server is not trusted.'],
  ['CERT_HAS_EXPIRED', 'The certificate of the mail server has expired.'],
  ['CERT_NOT_YET_VALID', 'The certificate of the mail server is not valid yet.'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'The certificate of the mail server is for another host name.'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'Could not establish a secure connection to the mail server.'],
])('%s is named as the cause: %s', (originalCode, reason) => {
  const error = { code: 'ESOCKET', originalCode, message: 'about mx.test' }
  expect(classifyFailure(error, false)).toEqual({ kind: 'retry', unreachable: true, reason, detail: 'about mx.test' })
})

test('a connection that breaks during the email causes a retry of this email only', () => {
  expect(classifyFailure({ code: 'ECONNECTION' }, true)).toEqual({
    kind: 'retry',
    unreachable: false,
    reason: 'The connection to the mail server was lost.',
  })
})

test('an error that neither the server nor the connection caused is not classified', () => {
  expect(classifyFailure({ code: 'ESTREAM' }, true)).toBeUndefined()
  expect(classifyFailure({}, false)).toBeUndefined()
})
