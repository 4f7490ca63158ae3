import { Boolean, Integer, Literal, Null, Object, String, Union, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'

/** The signed-in user, spec section 3. */
export const User = Object({
  id: String(),
  username: String(),
  email: String(),
  /** Whether the address has been confirmed by the link of a letter. */
  email_verified: Boolean(),
  subscription_tier: Union([Literal('free'), Literal('pro')]),
  logo_url: Union([String(), Null()]),
  background_image_url: Union([String(), Null()]),
  use_logo_as_watermark: Boolean(),
  ask_email_to_receive_photo: Boolean(),
  allow_marketing_emails: Boolean(),
  allow_promotional_emails: Boolean(),
  is_admin: Boolean(),
  is_active: Boolean(),
  created_at: String(),
  became_subscriber_at: Union([String(), Null()]),
  photo_count: Integer(),
})
export type User = Static<typeof User>

const Token = Object({ access_token: String(), token_type: Literal('bearer') })

// Lengths are refused by the rules of passwords.ts and emails.ts, which have the spec's sentences; the bound here only
// keeps absurd input away from them, and the one character that the database has not.
const Text = String({ maxLength: 1024, pattern: '^[^\\0]*$' })

export const register = endpoint({
  method: 'POST',
  path: '/register',
  access: 'public',
  rate: 'auth',
  summary: 'Create an account and sign in.',
  body: Object({ email: Text, password: Text }, { additionalProperties: false }),
  status: 201,
  reply: Token,
})
export const signIn = endpoint({
  method: 'POST',
  path: '/token',
  access: 'public',
  rate: 'auth',
  summary: 'Sign in. The username is the e-mail address.',
  form: true,
  // OAuth 2 clients send grant_type, scope and the like; they are accepted and ignored.
  body: Object({ username: Text, password: Text }),
  reply: Token,
})
export const signOut = endpoint({
  method: 'POST',
  path: '/logout',
  access: 'user',
  summary: 'End this session.',
  status: 204,
  reply: Null(),
})
export const currentUser = endpoint({
  method: 'GET',
  path: '/user/me',
  access: 'user',
  summary: 'The signed-in user.',
  reply: User,
})
