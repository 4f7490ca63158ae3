import { Literal, Null, Object, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'

/** The last test email of the user. Times are ISO 8601 in UTC. */
export const TestEmail = Object({
  /** `sent`: the mail server has accepted it, or it is kept as a file. */
  state: Union([Literal('none'), Literal('queued'), Literal('sent'), Literal('failed')]),
  /** When it was asked for; null without one. */
  asked_at: Union([String(), Null()]),
  sent_at: Union([String(), Null()]),
  /** Why it waits or has failed, as a sentence; null when there is no reason. */
  reason: Union([String(), Null()]),
  /** `outbox`: no mail server is set up, and emails are kept as files. */
  mail: Union([Literal('smtp'), Literal('outbox')]),
})
export type TestEmail = Static<typeof TestEmail>

export const getTestEmail = endpoint({
  method: 'GET',
  path: '/user/test-email',
  access: 'user',
  summary: 'Get what became of your last test email.',
  reply: TestEmail,
})

export const sendTestEmail = endpoint({
  method: 'POST',
  path: '/user/test-email',
  access: 'user',
  rate: 'account',
  summary: 'Send a test email to your own address.',
  ignoreBody: true,
  reply: TestEmail,
})

/** A code that tells the owner's open pages when a device opens it. */
export const TestCode = Object({
  /** URL of the code as an SVG. */
  image_url: String(),
  expires_at: String(),
})
export type TestCode = Static<typeof TestCode>

export const createTestCode = endpoint({
  method: 'POST',
  path: '/user/test-code',
  access: 'user',
  rate: 'account',
  summary: 'Get a QR code to try with a phone; your open pages show when it was opened.',
  ignoreBody: true,
  status: 201,
  reply: TestCode,
})

const ByToken = Object({ token: String({ maxLength: 128 }) })

export const testCodeImage = endpoint({
  method: 'GET',
  path: '/qr/t/:token',
  access: 'public',
  summary: 'Get the picture of a test code as PNG or SVG.',
  params: ByToken,
  reply: 'bytes',
})

/** The target of a test code: it shows a sample picture. */
export const openTestCode = endpoint({
  method: 'GET',
  path: '/test-code/:token',
  access: 'public',
  summary: 'Open a test code; shows the page of a sample picture.',
  params: ByToken,
  reply: 'bytes',
})
