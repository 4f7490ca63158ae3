import { Boolean, Object, String } from 'typebox'
import { endpoint } from './endpoint.ts'

// passwords.ts and emails.ts check lengths and have the messages. This limit only keeps huge input away from them.
const CredentialText = String({ maxLength: 1024, pattern: '^[^\\0]*$' })
const DetailReply = Object({ detail: String() })

/** The answer to every request for a password reset, whether or not the address has an account. */
export const resetRequested = 'If an account exists for this address, a link to reset the password is on its way.'
/** With this detail of a 400, the reset page shows 'Invalid Reset Link'. */
export const invalidResetTokenDetail = 'Invalid or expired reset token. Please request a new password reset link.'
/** The error of a confirmation link that has expired or has been used. */
export const invalidVerifyTokenDetail =
  'This link has expired or has already been used. Sign in and ask for a new one in Settings.'

export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/request-password-reset',
  access: 'public',
  rate: 'auth',
  summary: 'Request a password reset by email. The answer is the same for every address.',
  body: Object({ email: CredentialText }, { additionalProperties: false }),
  reply: DetailReply,
})
export const resetPassword = endpoint({
  method: 'POST',
  path: '/reset-password',
  access: 'public',
  rate: 'auth',
  deviceCookie: 'set',
  summary: 'Set a new password with the token from the email, valid for 30 minutes. Ends every session.',
  body: Object({ token: CredentialText, new_password: CredentialText }, { additionalProperties: false }),
  reply: Object({
    detail: String(),
    /** Whether the account has API keys or webhooks, which go on working. */
    has_integrations: Boolean(),
  }),
})
/** Whether a reset link works. Uses nothing up, and has a limit of its own. */
export const checkResetLink = endpoint({
  method: 'POST',
  path: '/reset-password/check',
  access: 'public',
  rate: 'linkChecks',
  summary: 'Check whether the token of a password reset link works. Does not use it up.',
  body: Object({ token: CredentialText }, { additionalProperties: false }),
  reply: DetailReply,
})
/** Uses up the token of an email: confirms the address, or changes it to the new one. Opening the page does not. */
export const verifyEmail = endpoint({
  method: 'POST',
  path: '/verify-email',
  access: 'public',
  rate: 'account',
  summary: 'Confirm an email address with the token from the email.',
  body: Object({ token: CredentialText }, { additionalProperties: false }),
  reply: Object({ detail: String(), email: String() }),
})
