import { Array, Boolean, Literal, Null, Object, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'

// passwords.ts and emails.ts check lengths and have the messages. This limit only keeps huge input away from them.
const CredentialText = String({ maxLength: 1024, pattern: '^[^\\0]*$' })
const DetailReply = Object({ detail: String() })

export const sendVerification = endpoint({
  method: 'POST',
  path: '/user/verification',
  access: 'user',
  rate: 'account',
  summary: 'Resend the email that confirms your address.',
  reply: DetailReply,
})
export const changeEmail = endpoint({
  method: 'POST',
  path: '/user/email',
  access: 'user',
  rate: 'account',
  summary:
    'Change your email address. The new address gets a confirmation link; the old one is notified of the change.',
  body: Object({ email: CredentialText, password: CredentialText }, { additionalProperties: false }),
  reply: DetailReply,
})
export const changePassword = endpoint({
  method: 'POST',
  path: '/user/password',
  access: 'user',
  rate: 'account',
  deviceCookie: 'set',
  summary: 'Change the password. Ends every session and returns the token of a new one.',
  body: Object({ current_password: CredentialText, new_password: CredentialText }, { additionalProperties: false }),
  reply: Object({ access_token: String(), token_type: Literal('bearer') }),
})

/** An active session, without its token. Times are ISO 8601 in UTC. */
export const SessionDetails = Object({
  id: String(),
  /** The User-Agent header at sign-in. */
  user_agent: Union([String(), Null()]),
  created_at: String(),
  last_used_at: String(),
  /** Whether this request uses the session. */
  current: Boolean(),
})
export type SessionDetails = Static<typeof SessionDetails>

export const listSessions = endpoint({
  method: 'GET',
  path: '/user/sessions',
  access: 'user',
  summary: 'List your sessions, last used first, and when the password was set.',
  reply: Object({
    sessions: Array(SessionDetails),
    /** When the password was set, at registration or later, and when the one before it; the same if there was none. */
    password_set_at: String(),
    previous_password_set_at: String(),
  }),
})
export const endSessions = endpoint({
  method: 'DELETE',
  path: '/user/sessions',
  access: 'user',
  clearsCache: true,
  summary: 'Sign out everywhere, including here. Existing URLs of full-size images stop working.',
  status: 204,
  reply: Null(),
})
export const endOneSession = endpoint({
  method: 'DELETE',
  path: '/user/sessions/:id',
  access: 'user',
  summary: 'Sign out of one session.',
  params: Object({ id: String({ maxLength: 128 }) }),
  status: 204,
  reply: Null(),
})

/** 403 `forbidden` for a wrong password. Until then, and 10 minutes after it or a sign-in, creating a key answers 403 `confirm_password`. */
export const confirmPassword = endpoint({
  method: 'POST',
  path: '/user/confirmation',
  access: 'user',
  rate: 'account',
  summary: 'Enter the password, which lets this session create API keys and webhooks for 10 minutes.',
  body: Object({ password: CredentialText }, { additionalProperties: false }),
  reply: Object({ confirmed_until: String() }),
})
