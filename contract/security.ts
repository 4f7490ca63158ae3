import { Array, Boolean, Integer, Literal, Null, Object, String, type Static } from 'typebox'
import { ById, endpoint, exact, nullable, oneOf, pathId, text } from './endpoint.ts'

// form-rules.ts checks lengths and has the messages. This limit only keeps huge input away from them.
const CredentialText = text(1024)
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
  body: exact({ email: CredentialText, password: CredentialText }),
  reply: DetailReply,
})
export const changePassword = endpoint({
  method: 'POST',
  path: '/user/password',
  access: 'user',
  rate: 'account',
  deviceCookie: 'set',
  summary: 'Change the password. Ends every session and returns the token of a new one.',
  body: exact({ current_password: CredentialText, new_password: CredentialText }),
  reply: Object({ access_token: String(), token_type: Literal('bearer') }),
})

/** An active session, without its token. Times are ISO 8601 in UTC. */
export const SessionDetails = Object({
  id: String(),
  /** The User-Agent header at sign-in. */
  user_agent: nullable(String()),
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
  params: ById,
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
  body: exact({ password: CredentialText }),
  reply: Object({ confirmed_until: String() }),
})

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
  body: exact({ email: CredentialText }),
  reply: DetailReply,
})
export const resetPassword = endpoint({
  method: 'POST',
  path: '/reset-password',
  access: 'public',
  rate: 'auth',
  deviceCookie: 'set',
  summary: 'Set a new password with the token from the email, valid for 30 minutes. Ends every session.',
  body: exact({ token: CredentialText, new_password: CredentialText }),
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
  body: exact({ token: CredentialText }),
  reply: DetailReply,
})
/** Uses up the token of an email: confirms the address, or changes it to the new one. Opening the page does not. */
export const verifyEmail = endpoint({
  method: 'POST',
  path: '/verify-email',
  access: 'public',
  rate: 'account',
  summary: 'Confirm an email address with the token from the email.',
  body: exact({ token: CredentialText }),
  reply: Object({ detail: String(), email: String() }),
})

/**
 * The state of a data export: a zip file with the account, photos, requests and consents, created by a job. Times are
 * ISO 8601 in UTC.
 */
export const Archive = Object({
  state: oneOf('none', 'queued', 'ready', 'failed'),
  requested_at: nullable(String()),
  ready_at: nullable(String()),
  expires_at: nullable(String()),
  size_bytes: nullable(Integer()),
})
export type Archive = Static<typeof Archive>

export const requestExport = endpoint({
  method: 'POST',
  path: '/user/export',
  access: 'user',
  summary: 'Export all your data. An email with the download link follows.',
  reply: Archive,
})
export const exportState = endpoint({
  method: 'GET',
  path: '/user/export',
  access: 'user',
  summary: 'Get the state of your latest data export.',
  reply: Archive,
})
/** The link in the email. It works for seven days, any number of times. */
export const downloadExport = endpoint({
  method: 'GET',
  path: '/export/:secret',
  access: 'public',
  summary: 'Download a data export with the link from its email.',
  params: Object({ secret: pathId }),
  reply: 'bytes',
})
export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/user',
  access: 'user',
  rate: 'account',
  summary: 'Delete the account and everything in it permanently.',
  body: exact({ password: text(1024) }),
  status: 204,
  reply: Null(),
})

const browsers: [pattern: RegExp, name: string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const operatingSystems: [pattern: RegExp, name: string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux|X11/, 'Linux'],
]
const nameIn = (userAgent: string, names: typeof browsers): string | null =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null

/** The browser and the system that a User-Agent header names; null when unknown. */
export const deviceOf = (userAgent: string | null): { browser: string | null; system: string | null } => ({
  browser: nameIn(userAgent ?? '', browsers),
  system: nameIn(userAgent ?? '', operatingSystems),
})
