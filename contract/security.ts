import { Array, Boolean, Literal, Null, Object, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'

// Lengths are refused by the rules of passwords.ts and emails.ts, which have the sentences.
const Text = String({ maxLength: 1024, pattern: '^[^\\0]*$' })
const Done = Object({ detail: String() })

/** The answer to every request for a reset link, whether the address has an account or not. */
export const resetRequested = 'If an account exists for this address, a link to reset the password is on its way.'
/** A 400 with this detail makes the reset page show 'Invalid Reset Link'; spec section 4. */
export const badResetToken = 'Invalid or expired reset token. Please request a new password reset link.'
/** What becomes of a link that confirms an address when it is too old or was used. */
export const badVerifyToken = 'This link has expired or was used already. Sign in and ask for a new one in Settings.'

export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/request-password-reset',
  access: 'public',
  rate: 'auth',
  summary: 'Ask for a link to reset the password. The answer is the same for every address.',
  body: Object({ email: Text }, { additionalProperties: false }),
  reply: Done,
})
export const resetPassword = endpoint({
  method: 'POST',
  path: '/reset-password',
  access: 'public',
  rate: 'auth',
  summary: 'Set a new password by a link of the last 30 minutes. Ends every session.',
  body: Object({ token: Text, new_password: Text }, { additionalProperties: false }),
  reply: Done,
})
/** Spends the token of a letter: confirms the address, or the change to it. Looking at the page spends nothing. */
export const verifyEmail = endpoint({
  method: 'POST',
  path: '/verify-email',
  access: 'public',
  rate: 'auth',
  summary: 'Confirm an e-mail address by the link of a letter.',
  body: Object({ token: Text }, { additionalProperties: false }),
  reply: Object({ detail: String(), email: String() }),
})
export const sendVerification = endpoint({
  method: 'POST',
  path: '/user/verification',
  access: 'user',
  rate: 'auth',
  summary: 'Send the letter that confirms your address once more.',
  reply: Done,
})
export const changeEmail = endpoint({
  method: 'POST',
  path: '/user/email',
  access: 'user',
  rate: 'auth',
  summary: 'Change the address: a letter to the new one confirms it, the old one is told.',
  body: Object({ email: Text, password: Text }, { additionalProperties: false }),
  reply: Done,
})
export const changePassword = endpoint({
  method: 'POST',
  path: '/user/password',
  access: 'user',
  rate: 'auth',
  summary: 'Change the password. Ends every session; the answer opens a new one.',
  body: Object({ current_password: Text, new_password: Text }, { additionalProperties: false }),
  reply: Object({ access_token: String(), token_type: Literal('bearer') }),
})

/** An open session, without anything that could open another. */
export const Session = Object({
  id: String(),
  /** What the browser said of itself when it signed in. */
  user_agent: Union([String(), Null()]),
  created_at: String(),
  last_used_at: String(),
  current: Boolean(),
})
export type Session = Static<typeof Session>

export const listSessions = endpoint({
  method: 'GET',
  path: '/user/sessions',
  access: 'user',
  summary: 'Where you are signed in, last used first.',
  reply: Object({ sessions: Array(Session) }),
})
export const endSessions = endpoint({
  method: 'DELETE',
  path: '/user/sessions',
  access: 'user',
  summary: 'Sign out everywhere, here as well. Addresses of full-size images handed out before are void.',
  status: 204,
  reply: Null(),
})
export const endOneSession = endpoint({
  method: 'DELETE',
  path: '/user/sessions/:id',
  access: 'user',
  summary: 'Sign out in one place.',
  params: Object({ id: String({ maxLength: 128 }) }),
  status: 204,
  reply: Null(),
})
